import { extractText, getDocumentProxy } from 'unpdf';

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;

/** An element of the structure of a page. */
export interface Tag {
  readonly role: string;
  readonly alt?: string;
  readonly children: readonly Tag[];
}

/** A piece of text with its place, in points from the left. */
export interface PlacedText {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

/** A PDF document, read back. */
export class ReadPdf {
  readonly #document: Document;

  private constructor(document: Document) {
    this.#document = document;
  }

  static async open(bytes: Uint8Array): Promise<ReadPdf> {
    return new ReadPdf(await getDocumentProxy(new Uint8Array(bytes)));
  }

  get pages(): number {
    return this.#document.numPages;
  }

  /** The text of each page, line by line. */
  async text(): Promise<string[]> {
    const { text } = await extractText(this.#document, { mergePages: false });
    return text;
  }

  async placedText(page: number): Promise<PlacedText[]> {
    const { items } = await (await this.#document.getPage(page)).getTextContent();
    return items.flatMap((item) =>
      'str' in item && item.str !== ''
        ? [{ text: item.str, left: item.transform[4], right: item.transform[4] + item.width }]
        : [],
    );
  }

  async tags(page: number): Promise<Tag[]> {
    const tree = await (await this.#document.getPage(page)).getStructTree();
    return tree ? [tagOf(tree as unknown as RawTag)] : [];
  }

  async outline(): Promise<string[]> {
    return ((await this.#document.getOutline()) ?? []).map(({ title }) => title);
  }

  async title(): Promise<string> {
    const { info } = await this.#document.getMetadata();
    return (info as { Title: string }).Title;
  }
}

interface RawTag {
  readonly role?: string;
  readonly alt?: string;
  readonly children?: readonly RawTag[];
}

function tagOf({ role = '', alt, children = [] }: RawTag): Tag {
  return {
    ...{ role, ...(alt !== undefined && { alt }) },
    children: children.filter((child) => child.role !== undefined).map(tagOf),
  };
}

/** An element and all below it. */
export function* walk(tag: Tag): Generator<Tag> {
  yield tag;
  for (const child of tag.children) yield* walk(child);
}
