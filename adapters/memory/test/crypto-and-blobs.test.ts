import {
  NO_CONNECTION,
  describeAccessTokens,
  describeBlobStore,
  describeChecksums,
  describeIdGenerator,
  describePasswordHasher,
  describeSecretTokens,
} from '@palimpsest/contract-tests';
import {
  MemoryAccessTokens,
  MemoryBlobStore,
  MemoryChecksums,
  MemoryClock,
  MemoryPasswordHasher,
  MemorySecretTokens,
  MemoryStore,
  SequentialIds,
} from '@palimpsest/memory';
import { expect } from 'chai';

const opening =
  <T>(make: () => T) =>
  () =>
    Promise.resolve({ subject: make(), close: () => Promise.resolve() });

describeAccessTokens(
  'MemoryAccessTokens',
  opening(() => new MemoryAccessTokens()),
  {
    openSecond: 'its key is never shared',
    reopen: 'its key is never shared',
  },
);
describeBlobStore(
  'MemoryBlobStore',
  () => {
    const store = new MemoryStore();
    const clock = { now: () => Date.now() * 1000 };
    return Promise.resolve({
      subject: new MemoryBlobStore(store, clock),
      openSecond: () => Promise.resolve(new MemoryBlobStore(store, clock)),
      close: () => Promise.resolve(),
    });
  },
  { reopen: 'memory ends with the process', faults: NO_CONNECTION },
);
describeChecksums(
  'MemoryChecksums',
  opening(() => new MemoryChecksums()),
);
describeIdGenerator(
  'SequentialIds',
  opening(() => new SequentialIds()),
  {
    openSecond: 'each generator has its own counter',
    reopen: 'each generator has its own counter',
  },
);
describePasswordHasher(
  'MemoryPasswordHasher',
  opening(() => new MemoryPasswordHasher()),
);
describeSecretTokens('MemorySecretTokens', () => {
  const { tokenKey: key } = new MemoryStore();
  return Promise.resolve({
    subject: new MemorySecretTokens({ key }),
    openSecond: () => Promise.resolve(new MemorySecretTokens({ key })),
    close: () => Promise.resolve(),
  });
});
describeSecretTokens(
  'MemorySecretTokens with a random key',
  opening(() => new MemorySecretTokens()),
  { openSecond: 'its key is never shared' },
);

describe('MemoryClock', () => {
  it('changes only by advance and set, and refuses an earlier time', () => {
    const clock = new MemoryClock(1000);
    expect([clock.now(), clock.now()]).to.deep.equal([1000, 1000]);
    clock.advance(1.5);
    expect(clock.now()).to.equal(2500);
    clock.set(3000);
    expect(clock.now()).to.equal(3000);
    expect(() => clock.set(2999)).to.throw(TypeError);
    expect(() => clock.advance(-1)).to.throw(TypeError);
  });
});
