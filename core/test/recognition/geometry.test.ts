import { expect } from 'chai';
import { boxBeforePreparation, turnBox, turnOfSidewaysLines, turnedSize } from '@palimpsest/core';
import type { BoundingBox, Word } from '@palimpsest/core';

const aWord = (bbox: BoundingBox, line = 0): Word => ({ text: 'word', confidence: 0.9, bbox, line, block: 0 });

describe('turnBox', () => {
  const size = { width: 100, height: 60 };
  const box: BoundingBox = [10, 5, 30, 15];

  it('moves a box with a clockwise rotation of the image', () => {
    expect(turnBox(box, size, 0)).to.deep.equal(box);
    expect(turnBox(box, size, 90)).to.deep.equal([45, 10, 55, 30]);
    expect(turnBox(box, size, 180)).to.deep.equal([70, 45, 90, 55]);
    expect(turnBox(box, size, 270)).to.deep.equal([5, 70, 15, 90]);
  });

  it('returns to the start after four quarter turns', () => {
    let [turned, turnedOf] = [box, size];
    for (let i = 0; i < 4; i++) [turned, turnedOf] = [turnBox(turned, turnedOf, 90), turnedSize(turnedOf, 90)];
    expect([turned, turnedOf]).to.deep.equal([box, size]);
  });
});

describe('boxBeforePreparation', () => {
  const original = { width: 200, height: 100 };

  it('is the box itself without preparation', () => {
    expect(boxBeforePreparation([10, 20, 30, 40], { factor: 1, degrees: 0 }, original, original)).to.deep.equal([
      10, 20, 30, 40,
    ]);
  });

  it('divides by the enlargement', () => {
    const prepared = { width: 600, height: 300 };
    expect(boxBeforePreparation([30, 60, 90, 120], { factor: 3, degrees: 0 }, prepared, original)).to.deep.equal([
      10, 20, 30, 40,
    ]);
  });

  it('reverts a rotation about the centre', () => {
    // By a right angle the widened image has its sides swapped, and boxes stay boxes.
    const prepared = { width: 100, height: 200 };
    expect(boxBeforePreparation([60, 10, 80, 30], { factor: 1, degrees: 90 }, prepared, original)).to.deep.equal([
      10, 20, 30, 40,
    ]);
    const back = boxBeforePreparation(
      [105, 55, 115, 65],
      { factor: 1, degrees: 3 },
      { width: 205, height: 111 },
      original,
    );
    expect(back[0]).to.be.closeTo(103, 2);
    expect(back[1]).to.be.closeTo(49, 2);
  });

  it('stays within the image, with at least one pixel', () => {
    expect(boxBeforePreparation([-50, -50, -40, -40], { factor: 1, degrees: 0 }, original, original)).to.deep.equal([
      0, 0, 1, 1,
    ]);
    expect(boxBeforePreparation([500, 500, 501, 501], { factor: 1, degrees: 0 }, original, original)).to.deep.equal([
      199, 99, 200, 100,
    ]);
  });
});

describe('turnOfSidewaysLines', () => {
  const row = (box: (i: number) => BoundingBox): Word[] =>
    Array.from({ length: 6 }, (_, i) => aWord(box(i), Math.floor(i / 3)));

  it('recognizes lines that run across, down and up', () => {
    expect(turnOfSidewaysLines(row((i) => [i * 50, 0, i * 50 + 40, 10]))).to.equal(0);
    expect(turnOfSidewaysLines(row((i) => [0, i * 50, 10, i * 50 + 40]))).to.equal(270);
    expect(turnOfSidewaysLines(row((i) => [0, 500 - i * 50, 10, 540 - i * 50]))).to.equal(90);
  });

  it('returns 0 for a few words, or for lines of one word', () => {
    expect(turnOfSidewaysLines([])).to.equal(0);
    expect(turnOfSidewaysLines(row((i) => [0, i * 50, 10, i * 50 + 40]).slice(0, 3))).to.equal(0);
    expect(turnOfSidewaysLines(Array.from({ length: 9 }, (_, i) => aWord([0, i * 50, 10, i * 50 + 40], i)))).to.equal(
      0,
    );
  });
});
