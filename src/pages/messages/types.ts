import type { en } from './en.ts'

/** The plural forms of a sentence, by the categories of Intl.PluralRules. `{count}` is the number. */
export type Plural = { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>

/** English has these two. */
type EnglishPlural = { readonly one: string; readonly other: string }

declare const PLACEHOLDERS: unique symbol

/** A text with placeholders, such as `{name}`, which `format` fills. */
export type Template<Name extends string> = string & { readonly [PLACEHOLDERS]: Name }

/** The names of the placeholders of a text. */
type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** The intersection of the members of a union. */
type AllOf<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** A text that has these placeholders, in any order. */
type TextWith<Name extends string> = [Name] extends [never] ? string : AllOf<`${string}{${Name}}${string}`>

type TranslationOf<Tree> = {
  readonly [Key in keyof Tree]: Tree[Key] extends string
    ? TextWith<NamesIn<Tree[Key]>>
    : Tree[Key] extends EnglishPlural
      ? Plural
      : TranslationOf<Tree[Key]>
}

type MessagesOf<Tree> = {
  readonly [Key in keyof Tree]: Tree[Key] extends string
    ? [NamesIn<Tree[Key]>] extends [never]
      ? string
      : Template<NamesIn<Tree[Key]>>
    : Tree[Key] extends EnglishPlural
      ? Plural
      : MessagesOf<Tree[Key]>
}

/** The texts of a language: all that English has, with the same placeholders. */
export type Translation = TranslationOf<typeof en>

/** All texts of the pages. */
export type Messages = MessagesOf<typeof en>

/** A heading, and how to go on. */
export type Notice = Messages['notFound']

/** The type of a managed resource (specification, "Management token"). */
export type ManagedKind = keyof Messages['managed']

/** A reason to report content. */
export type ReportReason = keyof Messages['report']['reasons']
