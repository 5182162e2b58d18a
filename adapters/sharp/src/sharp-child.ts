import { serveRequests } from '@palimpsest/child-process';
import { assessImage } from './assess.ts';
import { decodeImage, inspectImage } from './decode.ts';
import { encodeImage } from './encode.ts';
import { prepareImage } from './prepare.ts';
import type { ImageRequest } from './requests.ts';

// The script of the child processes. A child keeps no data between two requests.

serveRequests((request: ImageRequest): Promise<unknown> => {
  switch (request.kind) {
    case 'inspect':
      return inspectImage(request.file, request.maxPixels);
    case 'decode':
      return decodeImage(request.file, request.maxPixels);
    case 'assess':
      return assessImage(request.image);
    case 'prepare':
      return prepareImage(request.image, request.steps);
    case 'encode':
      return encodeImage(request.image);
  }
});
