const POLYNOMIAL = 0x82f63b78; // of Castagnoli, reversed (RFC 9260, appendix A)
const WIDTH = 256;
const LANES = 8;

/** For each lane and byte: what that byte contributes, as many bytes before the end of eight as the lane says. */
const table = ((): Int32Array => {
  const made = new Int32Array(LANES * WIDTH);
  for (let byte = 0; byte < WIDTH; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
    made[byte] = value;
  }
  for (let at = WIDTH; at < made.length; at++) {
    const before = made[at - WIDTH] as number;
    made[at] = (before >>> 8) ^ (made[before & 0xff] as number);
  }
  return made;
})();

const term = (lane: number, byte: number): number => table[lane * WIDTH + byte] as number;

/**
 * The CRC-32C of what it is given, piece by piece. That of the client takes ten times as long, during which nothing else
 * goes on: it looks each byte up alone, where this takes eight at once ("slicing by 8", Kounavis and Berry, 2005).
 */
export class RunningCrc32c {
  #state = -1;

  update(bytes: Uint8Array): void {
    let state = this.#state;
    let at = 0;
    const last = bytes.length - LANES;
    const byte = (offset: number): number => bytes[at + offset] as number;
    for (; at <= last; at += LANES) {
      state ^= byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24);
      state =
        term(7, state & 0xff) ^
        term(6, (state >>> 8) & 0xff) ^
        term(5, (state >>> 16) & 0xff) ^
        term(4, state >>> 24) ^
        term(3, byte(4)) ^
        term(2, byte(5)) ^
        term(1, byte(6)) ^
        term(0, byte(7));
    }
    for (; at < bytes.length; at++) state = term(0, (state ^ byte(0)) & 0xff) ^ (state >>> 8);
    this.#state = state;
  }

  /** Big-endian and in Base64, as the service writes it. */
  toString(): string {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(~this.#state);
    return bytes.toString('base64');
  }
}
