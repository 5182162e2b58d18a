import { trackDocuments } from '@palimpsest/child-process';
import { expect } from 'chai';

const limits = { maxPixels: 1, timeoutMs: 1 };
const signal = new AbortController().signal;

describe('documents that are open', () => {
  let closed: number[];
  let tracking: ReturnType<typeof trackDocuments>;

  beforeEach(() => {
    closed = [];
    tracking = trackDocuments(['application/pdf'], async ([number = 0]) => ({
      pageCount: number,
      render: async (page) => ({ width: page, height: 1, data: new Uint8Array(page), dpi: number }),
      close: async () => void closed.push(number),
    }));
  });

  const open = (number: number) => tracking.rasterizer.open(Uint8Array.of(number), limits, signal);

  it('are those that were opened, and give what they have', async () => {
    const document = await open(7);
    expect(tracking.rasterizer.mediaTypes).to.deep.equal(['application/pdf']);
    expect(document.pageCount).to.equal(7);
    expect(await document.render(3, limits, signal)).to.include({ width: 3, dpi: 7 });
  });

  it('are closed with the rasteriser, and not once more if they were before', async () => {
    const [first] = [await open(1), await open(2), await open(3)];
    await first.close();
    expect(closed).to.deep.equal([1]);
    await tracking.closeDocuments();
    expect(closed).to.have.members([1, 2, 3]).and.to.have.lengthOf(3);
  });
});
