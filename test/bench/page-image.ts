import { textPdf } from '../../hosts/api/test/samples.ts';
import type { Bench } from './bench.ts';
import { treeMicros, whyNoProcessTimes } from './process-tree.ts';
import { measureRatio } from './ratio.ts';
import { runService } from './running-service.ts';

const PAGE = Array.from(
  { length: 35 },
  (_, i) => `Line ${i + 1} of a page that is looked at once, and then again`,
).join('\n');

/** The saving when a client reuses a cached page image. */
export const pageImage: Bench = {
  name: 'page-image',
  measure: async () => {
    const what = 'processor time of the service for the image of a page against the response 304 for a cached image';
    const skipped = whyNoProcessTimes();
    if (skipped !== undefined) return [{ what, skipped }];
    const running = await runService();
    try {
      const { client, service } = running;
      const id = await running.uploadAndRead(textPdf(PAGE), 'page.pdf');
      const get = async (status: number, headers: Record<string, string> = {}): Promise<string> => {
        const response = await client.fetch(`/v1/documents/${id}/pages/1/image`, { headers });
        const { byteLength } = await response.arrayBuffer();
        if (response.status !== status || (status === 200) !== byteLength > 0)
          throw new Error(`${response.status} with ${byteLength} bytes`);
        return response.headers.get('etag') ?? '';
      };
      const tag = await get(200);
      // Rounds are long because the CPU time of other processes has a resolution of 10 ms.
      const options = { rounds: 5, roundMs: 300, clock: () => treeMicros(service.pid) };
      return [
        {
          what,
          ...(await measureRatio(
            () => get(200),
            () => get(304, { 'if-none-match': tag }),
            options,
          )),
        },
      ];
    } finally {
      await running.close();
    }
  },
};
