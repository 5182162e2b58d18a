import { inflateRawSync } from 'node:zlib';

// APPNOTE.TXT 6.3, 4.3.7, 4.3.12 and 4.3.16
const END_SIGNATURE = 0x06054b50;
const END_LENGTH = 22;
const ENTRY_LENGTH = 46;
const LOCAL_LENGTH = 30;
const DEFLATED = 8;

/** The files in a small ZIP archive without a comment, by name, in order. */
export const zipEntries = (archive: Uint8Array): Map<string, Buffer> => {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = bytes.length - END_LENGTH;
  if (end < 0 || bytes.readUInt32LE(end) !== END_SIGNATURE) throw new TypeError('That is no ZIP archive');
  const entries = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [method, length, local] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 42),
    ];
    const [nameLength, extraLength, commentLength] = [
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 30),
      bytes.readUInt16LE(at + 32),
    ];
    const name = bytes.toString('utf8', at + ENTRY_LENGTH, at + ENTRY_LENGTH + nameLength);
    const start = local + LOCAL_LENGTH + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = bytes.subarray(start, start + length);
    if (!name.endsWith('/')) entries.set(name, method === DEFLATED ? inflateRawSync(content) : content);
    at += ENTRY_LENGTH + nameLength + extraLength + commentLength;
  }
  return entries;
};
