import { completedDocument, revisionText } from '../document/revision.ts';
import type { Actor } from '../document/visibility.ts';
import type { Ports } from '../ports/index.ts';
import { findVisible, readOcr, type OcrView } from './get-document.ts';

/**
 * Saves a correction beside the original text, which stays as it is. With `expectedNewest` (the number of the newest
 * revision that the caller knows, 0 for none) a revision made meanwhile is `REVISION_CONFLICT`. Throws
 * `DOCUMENT_NOT_FOUND`, `DOCUMENT_NOT_COMPLETED` or `VALIDATION_ERROR`.
 */
export const reviseOcr =
  (ports: Pick<Ports, 'documents' | 'pages' | 'revisions' | 'clock'>) =>
  async (actor: Actor, id: string, text: string, expectedNewest?: number): Promise<OcrView> => {
    const document = completedDocument(await findVisible(ports)(actor, id));
    const revision = { revisedAt: ports.clock.now(), text: revisionText(text) };
    const saved = await ports.revisions.append(document.id, revision, expectedNewest);
    return { ...(await readOcr(ports)(document)), revision: saved };
  };
