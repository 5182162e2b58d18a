import { randomBytes } from 'node:crypto';
import { CRC32C } from '@google-cloud/storage';
import { expect } from 'chai';
import { RunningCrc32c } from '../src/crc32c.ts';

const checksumOf = (...pieces: Uint8Array[]): string => {
  const checksum = new RunningCrc32c();
  for (const piece of pieces) checksum.update(piece);
  return checksum.toString();
};

describe('RunningCrc32c', () => {
  // RFC 3720, appendix B.4, and the check value of the catalogue of CRC algorithms
  for (const [what, bytes, hex] of [
    ['nothing', Buffer.alloc(0), '00000000'],
    ['"123456789"', Buffer.from('123456789'), 'e3069283'],
    ['32 zeros', Buffer.alloc(32), '8a9136aa'],
    ['32 ones', Buffer.alloc(32, 0xff), '62a8ab43'],
    ['0 to 31', Buffer.from(Array.from({ length: 32 }, (_, i) => i)), '46dd794e'],
  ] as const) {
    it(`gives the known checksum of ${what}`, () => {
      expect(Buffer.from(checksumOf(bytes), 'base64').toString('hex')).to.equal(hex);
    });
  }

  it('gives what the client of the service gives, however the bytes come', () => {
    const bytes = randomBytes(1000);
    const client = new CRC32C();
    client.update(bytes);
    for (let at = 0; at < 40; at++) {
      expect(checksumOf(bytes.subarray(0, at), bytes.subarray(at, 2 * at), bytes.subarray(2 * at))).to.equal(client.toString());
    }
  });
});
