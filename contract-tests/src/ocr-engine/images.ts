import { turnedSize, type GreyImage, type QuarterTurn } from '@palimpsest/core';

/** The image rotated clockwise. */
export const turnImage = (image: GreyImage, turn: QuarterTurn): GreyImage => {
  const { width, height } = turnedSize(image, turn);
  const data = new Uint8Array(image.data.length);
  // The new index of the pixel (0, 0), and the new distances between pixels of a row and of a column.
  const [first, across, down] = (
    {
      0: [0, 1, width],
      90: [width - 1, width, -1],
      180: [data.length - 1, -1, -width],
      270: [data.length - width, -width, 1],
    } as const
  )[turn];
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < image.width; x++) data[first + x * across + y * down] = image.data[y * image.width + x] ?? 255;
  }
  return { width, height, data };
};

/** The image in uneven light: it fades so much that the paper on the right is darker than the ink on the left. */
export const shadeImage = (image: GreyImage): GreyImage => ({
  ...image,
  data: image.data.map((value, i) => (70 + value * 0.72) * (1 - 0.8 * ((i % image.width) / image.width))),
});
