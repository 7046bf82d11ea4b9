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

type Own = Pick<Declaration, 'method' | 'path' | 'access'> &
  Partial<Pick<Declaration, 'audit' | 'params' | 'body' | 'describedBody' | 'cancellable'>> & {
    readonly summary: string;
    readonly replies: Declaration['replies'];
    readonly refuses?: readonly ErrorCode[];
  };

/** The usual operations of a family of records, each from what the family says about itself. */
export function recordRoutes<
  Shown extends TSchema,
  Creation extends TSchema,
  Change extends TSchema,
  Query extends TObject,
  Written extends TSchema = Shown,
>(
  declared: RecordFamily<Shown, Creation, Change, Query, Written>,
  operations: RecordOperations<
    Static<Shown>,
    Static<Creation>,
    Static<Change>,
    Static<Query>,
    Static<Written>
  >,
): Route[] {
  type Read = ReadRequest<Static<Query>>;
  type Write = WriteRequest<Static<Query>>;
  type Params = { readonly params: Readonly<Record<string, string>> };
  type Body<Given> = { readonly body: Given };

  const { family, singular, plural, title, id, lookup } = declared;
  const { create, list, searchable, search, get, change, replace, remove } = operations;
  const path = `/api/v2/${family.name}` as const;
  const params = (description: string) =>
    Type.Object({ [id]: Type.String({ minLength: 1, maxLength: 200, description }) });
  const item = {
    path: `${path}/{${id}}`,
    params: params(`Identifier (${id}).`),
    refuses: ['NOT_FOUND'],
  } as const;
  const one = Type.Object({ data: family.record });
  const written = Type.Object({ data: declared.written ?? family.record });
  const many = Type.Object({ data: Type.Array(family.record, { description: `The ${plural}.` }) });
  const creation = {
    body: declared.creation as TSchema,
    ...(declared.describedCreation && { describedBody: declared.describedCreation }),
  };
  const updated = { access: 'write', audit: `${title} Updated`, replies: { 200: written } } as const;
  const idOf = ({ params }: Params) => params[id] as string;

  const routes: Route[] = [];
  /** Adds the operation when the family has what answers it. */
  const add = <Answer extends object, Input>(
    name: OperationName,
    answer: Answer | undefined,
    { refuses = [], ...own }: Own,
    handle: (answer: Answer, input: Input) => Promise<AnyOutput>,
  ) => {
    if (!answer) return;
    const description = declared.descriptions?.[name];
    const declaration: Declaration = {
      ...own,
      family,
      summary: declared.summaries?.[name] ?? own.summary,
      ...(description !== undefined && { description }),
      ...(declared.org && { org: true }),
      ...(declared.query && { query: declared.query }),
      refuses: [
        ...refuses,
        ...(declared.refuses?.[name] ?? []),
        ...(isWriting(name) || (name === 'remove' && declared.mayRefuseRemoval)
          ? (['CONFLICT'] as const)
          : []),
      ],
    };
    routes.push({ declaration, handle: (input: Input) => handle(answer, input) });
  };

  add(
    'create',
    create,
    {
      ...{ method: 'POST', path, access: 'write', summary: `Create ${singular}` },
      ...{ audit: `${title} Created`, ...creation, replies: { 201: written } },
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
      ...{ method: 'GET', path, access: 'read', summary: `List the ${plural}`, replies: { 200: many } },
      ...(search && { cancellable: true }),
    },
    async (list, input: Read) => answer(await list(input)),
  );
  const fields = declared.fields ?? fieldsOf(family.record as unknown as TObject);
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
      ...{ body: SearchBody, replies: { 200: many }, refuses: ['INVALID_FIELD', 'INVALID_FILTER'] },
    },
    async (find, input: Read & Body<SearchBody | undefined>) => answer(await find(input, input.body)),
  );
  add(
    'get',
    get,
    {
      ...{ ...item, method: 'GET', access: 'read', summary: `Show ${singular}`, replies: { 200: one } },
      ...(lookup && { params: params(lookup.id), replies: { 200: lookup.found } }),
    },
    async (get, input: Read & Params) => answer(await get(input, idOf(input))),
  );
  add(
    'change',
    change,
    {
      ...{ ...item, ...updated, method: 'PATCH', summary: `Change members of ${singular}` },
      body: declared.change as TSchema,
    },
    async (change, input: Write & Params & Body<Static<Change>>) =>
      answer(await change(input, idOf(input), input.body)),
  );
  add(
    'replace',
    replace,
    { ...item, ...updated, ...creation, method: 'PUT', summary: `Replace ${singular}` },
    async (replace, input: Write & Params & Body<Static<Creation>>) =>
      answer(await replace(input, idOf(input), input.body)),
  );
  add(
    'remove',
    remove,
    {
      ...{ ...item, method: 'DELETE', access: 'write', summary: `Delete ${singular}` },
      ...{ audit: `${title} Deleted`, replies: { 204: empty('It is gone.') } },
    },
    async (remove, input: Write & Params) => {
      await remove(input, idOf(input));
      return { status: 204 };
    },
  );
  return routes;
}

/** What is written may contradict what is there, or be more than an account may have. */
function isWriting(name: OperationName): boolean {
  return name === 'create' || name === 'change' || name === 'replace';
}

function answer(data: unknown): AnyOutput {
  return { status: 200, body: data instanceof JsonBytes ? data : { data } };
}
