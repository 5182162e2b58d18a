/** Whether JSON has more than `max` opening brackets, commas and colons outside its strings. Stops counting there. */
export const hasMoreParts = (json: Uint8Array, max: number): boolean => {
  let parts = 0;
  let isInString = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (byte === 0x22) isInString = !isInString;
    else if (isInString) {
      if (byte === 0x5c) i++; // a backslash: the next byte does not end the string
    } else if (byte === 0x5b || byte === 0x7b || byte === 0x2c || byte === 0x3a) {
      parts++;
      if (parts > max) return true;
    }
  }
  return false;
};
