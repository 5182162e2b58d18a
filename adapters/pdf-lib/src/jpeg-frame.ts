/** The properties of a JPEG file that a PDF must repeat (ISO/IEC 10918-1, Annex B). */
export interface JpegFrame {
  readonly width: number; // as stored
  readonly height: number;
  readonly components: number; // 1: grey, 3: colour, 4: CMYK or YCCK
  readonly isAdobe: boolean; // has an Adobe marker: CMYK values are inverted
}

const APP14 = 0xee;
const STANDALONE = new Set([0x01, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8]);
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
/** The frame types that PDF readers decode: baseline, extended, progressive. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xc2;

/** Parses the frame header of a JPEG file; `undefined` if PDF readers cannot decode such a frame. */
export const jpegFrame = (file: Uint8Array): JpegFrame | undefined => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  let isAdobe = false;
  for (let at = 0; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) {
      at++;
      continue;
    }
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) at++;
    else if (marker === 0 || STANDALONE.has(marker)) at += 2;
    else if (marker === START_OF_SCAN || marker === END_OF_IMAGE) break;
    else {
      const length = bytes.readUInt16BE(at + 2);
      if (marker === APP14 && bytes.toString('latin1', at + 4, at + 9) === 'Adobe') isAdobe = true;
      if (isFrame(marker) && at + 10 <= bytes.length) {
        const [height, width, components] = [
          bytes.readUInt16BE(at + 5),
          bytes.readUInt16BE(at + 7),
          bytes[at + 9] ?? 0,
        ];
        return [1, 3, 4].includes(components) && bytes[at + 4] === 8
          ? { width, height, components, isAdobe }
          : undefined;
      }
      at += 2 + length;
    }
  }
  return undefined;
};
