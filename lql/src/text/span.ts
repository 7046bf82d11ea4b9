/** Where something stands in the text of a query: offsets in UTF-16 units, the end not included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
