import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { empty, JsonBytes } from '../http/reply.ts';
import type { AnyOutput, Declaration, Route } from '../http/route.ts';
import type { ErrorCode } from '../platform/errors.ts';
import { fieldsOf } from '../search/record-fields.ts';
import { SearchBody } from '../search/request.ts';
import type {
  OperationName,
  ReadRequest,
  RecordFamily,
  RecordOperations,
  WriteRequest,
} from './record-family.ts';
import { searchRecords } from './record-search.ts';

type OperationSpec = Pick<Declaration, 'method' | 'path' | 'access'> &
  Partial<Pick<Declaration, 'audit' | 'params' | 'body' | 'describedBody' | 'cancellable'>> & {
    readonly summary: string;
    readonly replies: Declaration['replies'];
    readonly refuses?: readonly ErrorCode[];
  };

/** Derives the operations of a record family from its definition. */
export function recordRoutes<
  Item extends TSchema,
  Creation extends TSchema,
  Change extends TSchema,
  Query extends TObject,
  WriteResponse extends TSchema = Item,
>(
  definition: RecordFamily<Item, Creation, Change, Query, WriteResponse>,
  operations: RecordOperations<
    Static<Item>,
    Static<Creation>,
    Static<Change>,
    Static<Query>,
    Static<WriteResponse>
  >,
): Route[] {
  type Read = ReadRequest<Static<Query>>;
  type Write = WriteRequest<Static<Query>>;
  type Params = { readonly params: Readonly<Record<string, string>> };
  type Body<Content> = { readonly body: Content };

  const { family, singular, plural, title, id, lookup } = definition;
  const { create, list, searchable, search, get, change, replace, remove } = operations;
  const path = `/api/v2/${family.name}` as const;
  const params = (description: string) =>
    Type.Object({ [id]: Type.String({ minLength: 1, maxLength: 200, description }) });
  const item = {
    path: `${path}/{${id}}`,
    params: params(`Identifier (${id}).`),
    refuses: ['NOT_FOUND'],
  } as const;
  const itemReply = Type.Object({ data: family.record });
  const writeReply = Type.Object({ data: definition.writeResponse ?? family.record });
  const listReply = Type.Object({ data: Type.Array(family.record, { description: `The ${plural}.` }) });
  const creation = {
    body: definition.creation as TSchema,
    ...(definition.describedCreation && { describedBody: definition.describedCreation }),
  };
  const updated = { access: 'write', audit: `${title} Updated`, replies: { 200: writeReply } } as const;
  const idOf = ({ params }: Params) => params[id] as string;

  const routes: Route[] = [];
  /** Adds the operation if the family has a handler for it. */
  const add = <Handler extends object, Input>(
    name: OperationName,
    handler: Handler | undefined,
    { refuses = [], ...own }: OperationSpec,
    handle: (handler: Handler, input: Input) => Promise<AnyOutput>,
  ) => {
    if (!handler) return;
    const description = definition.descriptions?.[name];
    const declaration: Declaration = {
      ...own,
      family,
      summary: definition.summaries?.[name] ?? own.summary,
      ...(description !== undefined && { description }),
      ...(definition.org && { org: true }),
      ...(definition.query && { query: definition.query }),
      refuses: [
        ...refuses,
        ...(definition.refuses?.[name] ?? []),
        ...(mayConflict(name) || (name === 'remove' && definition.mayRefuseRemoval)
          ? (['CONFLICT'] as const)
          : []),
      ],
    };
    routes.push({ declaration, handle: (input: Input) => handle(handler, input) });
  };

  add(
    'create',
    create,
    {
      ...{ method: 'POST', path, access: 'write', summary: `Create ${singular}` },
      ...{ audit: `${title} Created`, ...creation, replies: { 201: writeReply } },
    },
    async (create, input: Write & Body<Static<Creation>>) => ({
      status: 201,
      body: { data: await create(input, input.body) },
    }),
  );
  add(
    'list',
    list,
    {
      ...{ method: 'GET', path, access: 'read', summary: `List the ${plural}`, replies: { 200: listReply } },
      ...(search && { cancellable: true }),
    },
    async (list, input: Read) => okReply(await list(input)),
  );
  const fields = definition.fields ?? fieldsOf(family.record as unknown as TObject);
  const find =
    search ??
    (searchable &&
      (async (input: Read, body: SearchBody | undefined) => {
        const records = (await searchable.records(input)) as readonly (object | string)[];
        return searchRecords(searchable.scanner, records, body, fields, input);
      }));
  add(
    'search',
    find,
    {
      ...{ method: 'POST', path: `${path}/search`, access: 'read', summary: `Search the ${plural}` },
      cancellable: true,
      ...{ body: SearchBody, replies: { 200: listReply }, refuses: ['INVALID_FIELD', 'INVALID_FILTER'] },
    },
    async (find, input: Read & Body<SearchBody | undefined>) => okReply(await find(input, input.body)),
  );
  add(
    'get',
    get,
    {
      ...{
        ...item,
        method: 'GET',
        access: 'read',
        summary: `Get ${singular} by its id`,
        replies: { 200: itemReply },
      },
      ...(lookup && { params: params(lookup.id), replies: { 200: lookup.response } }),
    },
    async (get, input: Read & Params) => okReply(await get(input, idOf(input))),
  );
  add(
    'change',
    change,
    {
      ...{ ...item, ...updated, method: 'PATCH', summary: `Update ${singular}` },
      body: definition.change as TSchema,
    },
    async (change, input: Write & Params & Body<Static<Change>>) =>
      okReply(await change(input, idOf(input), input.body)),
  );
  add(
    'replace',
    replace,
    { ...item, ...updated, ...creation, method: 'PUT', summary: `Replace ${singular}` },
    async (replace, input: Write & Params & Body<Static<Creation>>) =>
      okReply(await replace(input, idOf(input), input.body)),
  );
  add(
    'remove',
    remove,
    {
      ...{ ...item, method: 'DELETE', access: 'write', summary: `Delete ${singular}` },
      ...{ audit: `${title} Deleted`, replies: { 204: empty('The record was deleted.') } },
    },
    async (remove, input: Write & Params) => {
      await remove(input, idOf(input));
      return { status: 204 };
    },
  );
  return routes;
}

/** Creations and updates can conflict with existing records or exceed a quota. */
function mayConflict(name: OperationName): boolean {
  return name === 'create' || name === 'change' || name === 'replace';
}

function okReply(data: unknown): AnyOutput {
  return { status: 200, body: data instanceof JsonBytes ? data : { data } };
}
