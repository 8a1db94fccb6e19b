/** A message for each plural form that a language has (Unicode CLDR's categories); `other` is every language's. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

export type Message = string | Plural

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** What fills a message's placeholders. A plural needs the `count` that chooses its form. */
export type Values<M extends Message, V> = Record<
  M extends string ? NamesIn<M> : NamesIn<M[keyof M & Intl.LDMLPluralRule]> | 'count',
  V
>

/** All of `Names`, in any order. */
type Holding<Names extends string> = (
  Names extends string
    ? (text: `${string}{${Names}}${string}`) => void
    : never
) extends (text: infer Text) => void
  ? Text & string
  : never

type TextLike<M extends string> = [NamesIn<M>] extends [never] ? string : Holding<NamesIn<M>>

/**
 * The catalogue of another language. A key that is missing or superfluous does not compile, nor does a message (of a plural,
 * its form `other`) that lost a placeholder. The other forms are free: "one code". A test finds placeholders that English does
 * not have.
 */
export type Translation<T> = T extends string
  ? TextLike<T>
  : T extends Plural
    ? { other: TextLike<T['other']> } & Partial<Record<Intl.LDMLPluralRule, string>>
    : { [K in keyof T]: Translation<T[K]> }
