import type { CompletedDocument } from '../../document/document.ts';
import type { Actor } from '../../document/visibility.ts';
import { isAppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import type { OcrView } from '../../revision/ocr-view.ts';
import { revisionConflict, revisionText } from '../../revision/revision.ts';
import { findCompleted, findVisible } from '../documents/find-document.ts';
import { viewVersion } from '../documents/get-document.ts';
import { changeText } from '../search/index-document.ts';
import { readOcr } from './read-ocr.ts';

/** The number of the newest revision that the next revision must follow. */
const expectedRevision = (
  document: CompletedDocument,
  { revision }: OcrView,
  versions: readonly string[] | undefined,
): number | undefined => {
  if (versions === undefined) return undefined;
  const newest = revision?.number ?? 0;
  if (!versions.includes(viewVersion(document, newest))) throw revisionConflict();
  return newest;
};

/** Removes the revision again if the document was deleted before the revision was stored. */
const removeIfDeleted = async (
  ports: Pick<Ports, 'documents' | 'revisions'>,
  actor: Actor,
  id: string,
): Promise<void> => {
  try {
    await findVisible(ports)(actor, id);
  } catch (error) {
    if (isAppError(error, 'DOCUMENT_NOT_FOUND')) await ports.revisions.removeAll(id);
    throw error;
  }
};

/**
 * Saves a revision beside the recognized text, which never changes. With `expectedVersions` (from {@link getDocument}),
 * it saves only if the document still has one of these versions. Throws `DOCUMENT_NOT_FOUND`, `DOCUMENT_NOT_COMPLETED`,
 * `OCR_RESULT_NOT_AVAILABLE`, `VALIDATION_ERROR` or `REVISION_CONFLICT`.
 */
export const reviseOcr =
  (ports: Pick<Ports, 'documents' | 'pages' | 'revisions' | 'searchIndex' | 'jobs' | 'clock' | 'faults'>) =>
  async (
    actor: Actor,
    id: string,
    text: string,
    expectedVersions?: readonly string[],
  ): Promise<{ ocr: OcrView; version: string }> => {
    const document = await findCompleted(ports)(actor, id);
    const revised = revisionText(text);
    const ocr = await readOcr(ports)(document);
    const expected = expectedRevision(document, ocr, expectedVersions);
    const revision = await changeText(ports)(id, () =>
      ports.revisions.append(id, { revisedAt: ports.clock.now(), text: revised }, expected),
    );
    await removeIfDeleted(ports, actor, id);
    return { ocr: { ...ocr, revision }, version: viewVersion(document, revision.number) };
  };
