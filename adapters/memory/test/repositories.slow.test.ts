import { describeLongSearchIndex, describeLongSessionRepository } from '@palimpsest/contract-tests';
import { MemorySearchIndex, MemorySessionRepository, MemoryStore } from '@palimpsest/memory';

describeLongSessionRepository('MemorySessionRepository', async () => ({
  subject: new MemorySessionRepository(new MemoryStore()),
  close: async () => {},
}));
describeLongSearchIndex('MemorySearchIndex', async () => ({
  subject: new MemorySearchIndex(new MemoryStore()),
  close: async () => {},
}));
