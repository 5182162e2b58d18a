import {
  compactWords,
  wordsFromCompact,
  type PageWithoutWords,
  type RecognizedPage,
  type Word,
} from '@palimpsest/core';
import type { Collection } from 'mongodb';
import { LATEST, type Database } from '../database.ts';
import { isDuplicate } from '../errors.ts';
import type { Indexes } from '../indexes.ts';
import { cutText } from './text-pieces.ts';

const PIECES = 'page_pieces';
const REMOVE_BATCH = 1000;

/** A piece of the JSON of a page or of its words. */
interface PieceRow {
  readonly _id: string;
  readonly documentId: string;
  readonly era: string; // the generation of the page list in which the piece was stored
  readonly json: string;
}

/** Refers to the pieces of one stored page. */
export interface PageContent {
  readonly put: string; // the random id of the call that stored the page
  readonly pagePieces: number;
  readonly wordPieces: number;
}

type Kind = 'page' | 'words';

const idsOf = (put: string, kind: Kind, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${put}/${kind}/${i}`);

export const allIdsOf = ({ put, pagePieces, wordPieces }: PageContent): readonly string[] => [
  ...idsOf(put, 'page', pagePieces),
  ...idsOf(put, 'words', wordPieces),
];

export const pieceIndexes: Indexes = { [PIECES]: [{ name: 'of_document', key: { documentId: 1, era: 1, _id: 1 } }] };

/** The content of pages: JSON in pieces that fit in a MongoDB document. A stored piece never changes. */
export class PagePieces {
  readonly #database: Database;
  readonly #pieces: Collection<PieceRow>;

  constructor(database: Database) {
    this.#database = database;
    this.#pieces = database.collection(PIECES);
  }

  /** Stores the pieces of a page with ids made from `put`. */
  async store(
    documentId: string,
    generation: string,
    put: string,
    { words, ...page }: RecognizedPage,
  ): Promise<PageContent> {
    const pagePieces = cutText(JSON.stringify(page));
    const wordPieces = cutText(compactWords(words));
    const content = { put, pagePieces: pagePieces.length, wordPieces: wordPieces.length };
    const rows = allIdsOf(content).map((_id, i) => ({
      _id,
      documentId,
      era: generation,
      json: [...pagePieces, ...wordPieces][i] ?? '',
    }));
    await this.#database.write(async () => {
      try {
        await this.#pieces.insertMany(rows, { ordered: false });
      } catch (error) {
        // An earlier attempt stored some of the pieces.
        if (!isDuplicate(error)) throw error;
      }
    });
    return content;
  }

  /** The pages without their words, in the order of `contents`; `undefined` if a piece does not exist. */
  async pages(contents: readonly PageContent[]): Promise<readonly PageWithoutWords[] | undefined> {
    const texts = await this.#read(contents.map(({ put, pagePieces }) => idsOf(put, 'page', pagePieces)));
    return texts?.map((json): PageWithoutWords => JSON.parse(json));
  }

  /** The words of a page; `undefined` if a piece does not exist. */
  async words({ put, wordPieces }: PageContent): Promise<readonly Word[] | undefined> {
    const [json] = (await this.#read([idsOf(put, 'words', wordPieces)])) ?? [];
    return json === undefined ? undefined : wordsFromCompact(json);
  }

  /** The ids and generations of all pieces of a document. */
  async ofDocument(documentId: string): Promise<readonly Pick<PieceRow, '_id' | 'era'>[]> {
    return await this.#database.run(() =>
      this.#pieces.find({ documentId }, { ...LATEST, projection: { _id: 1, era: 1 } }).toArray(),
    );
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (let i = 0; i < ids.length; i += REMOVE_BATCH) {
      await this.#database.write(() => this.#pieces.deleteMany({ _id: { $in: ids.slice(i, i + REMOVE_BATCH) } }));
    }
  }

  async #read(wanted: readonly (readonly string[])[]): Promise<readonly string[] | undefined> {
    const rows = await this.#database.run(() =>
      this.#pieces.find({ _id: { $in: wanted.flat() } }, { projection: { json: 1 } }).toArray(),
    );
    const found = new Map(rows.map(({ _id, json }) => [_id, json]));
    return wanted.flat().every((id) => found.has(id))
      ? wanted.map((ids) => ids.map((id) => found.get(id)).join(''))
      : undefined;
  }
}
