import { describeLongSessionRepository } from '@palimpsest/contract-tests';
import { MemorySessionRepository, MemoryStore } from '@palimpsest/memory';

describeLongSessionRepository('MemorySessionRepository', async () => ({
  subject: new MemorySessionRepository(new MemoryStore()),
  close: async () => {},
}));
