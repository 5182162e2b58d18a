import { ContainerModule } from 'inversify';
import { T } from '../port-symbols.ts';
import type { OpenModule } from './opening.ts';

export const openRecognitionModule: OpenModule = () =>
  Promise.resolve(
    new ContainerModule(({ bind }) => {
      bind(T.ocrEngine).toConstantValue({} as never);
      bind(T.imagePreparer).toConstantValue({} as never);
      bind(T.rasterizers).toConstantValue([]);
      bind(T.textLayerReaders).toConstantValue([]);
    }),
  );
