import { buffer } from 'node:stream/consumers';
import { readPackage, writePackage } from '@palimpsest/office-package';
import type { PackagePart } from '@palimpsest/office-package';
import { expect } from 'chai';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textsOf = (file: Uint8Array): Record<string, string> =>
  Object.fromEntries([...readPackage(file)].map(([name, content]) => [name, new TextDecoder().decode(content)]));

describe('writePackage and readPackage', () => {
  it('keep the order of the parts, from bytes and from generated strings', async () => {
    const parts: PackagePart[] = [
      { name: 'b.xml', content: bytes('<b/>') },
      { name: 'folder/a.xml', content: ['<a>', 'é', '</a>'] },
      { name: 'empty.xml', content: [] },
    ];
    const texts = textsOf(await buffer(writePackage(parts)));
    expect(Object.entries(texts)).to.deep.equal([
      ['b.xml', '<b/>'],
      ['folder/a.xml', '<a>é</a>'],
      ['empty.xml', ''],
    ]);
  });

  it('request the parts one after the other, so that a part may depend on the previous one', async () => {
    let count = 0;
    function* counted(): Generator<string> {
      for (; count < 50_000; count++) yield 'x';
    }
    async function* parts(): AsyncGenerator<PackagePart> {
      yield { name: 'strings', content: counted() };
      yield { name: 'count', content: bytes(String(count)) };
    }
    const texts = textsOf(await buffer(writePackage(parts())));
    expect(texts['count']).to.equal('50000');
    expect(texts['strings']).to.have.length(50_000);
  });

  it('throw the error of a part and close the generator of parts', async () => {
    const fault = new Error('the text cannot be read');
    let isClosed = false;
    async function* parts(): AsyncGenerator<PackagePart> {
      try {
        yield {
          name: 'fails',
          content: (function* () {
            yield 'x';
            throw fault;
          })(),
        };
      } finally {
        isClosed = true;
      }
    }
    expect(await buffer(writePackage(parts())).catch((error: unknown) => error)).to.equal(fault);
    expect(isClosed).to.equal(true);
  });

  it('close all generators when the reader stops early', async () => {
    const closed: string[] = [];
    function* endless(): Generator<string> {
      try {
        for (let i = 0; ; i++) yield `line ${Math.imul(i, 2_654_435_761)} differs\n`;
      } finally {
        closed.push('strings');
      }
    }
    async function* parts(): AsyncGenerator<PackagePart> {
      try {
        yield { name: 'endless', content: endless() };
      } finally {
        closed.push('parts');
      }
    }
    const reader = writePackage(parts());
    for (let i = 0; i < 3; i++) await reader.next();
    await reader.return(undefined);
    expect(closed).to.have.members(['strings', 'parts']);
  });

  it('throw for bytes that are not a ZIP file', () => {
    expect(() => readPackage(bytes('<html>'))).to.throw();
  });
});
