export interface LanguagePackage {
  readonly name: string;
  readonly version: string;
}

/** What a manifest says. One without a name or version is that of a package in development, and none that is installed. */
export type Manifest =
  | { readonly is: 'package'; readonly package: LanguagePackage }
  | { readonly is: 'unnamed' }
  | { readonly is: 'invalid' };

/** A directory with the packages of a running program. */
export interface LanguageDirectory {
  readonly format: 'npm' | 'python';
  readonly path: string;
}
