import { aPng, textSample } from '@palimpsest/contract-tests/internal';
import { expect } from 'chai';
import { acceptedId, finalStatus, jsonOf } from '../documents.ts';
import { startService } from '../service.ts';

describe('a scan recognized by the real OCR engine', () => {
  it('is completed with the text and the words of the scan', async () => {
    const service = await startService({ worker: true, ocr: 'tesseract.js' });
    try {
      const user = await service.signUp();
      const { image } = await textSample('harbour');
      const id = await acceptedId(await user.upload(aPng(image), 'scan.png'));
      expect(await finalStatus(user, id)).to.equal('completed');
      const { ocr } = await jsonOf<{ ocr: { engine: string; text: string } }>(await user.fetch(`/v1/documents/${id}`));
      expect(ocr.engine).to.equal('tesseract.js');
      expect(ocr.text.toLowerCase()).to.include('harbour');
      const { words } = await jsonOf<{ words: unknown[] }>(await user.fetch(`/v1/documents/${id}/pages/1/words`));
      expect(words.length).to.be.above(20);
    } finally {
      await service.close();
    }
  });
});
