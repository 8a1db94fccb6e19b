import { CommandError } from './command-error'

/** @throws CommandError if there is none, or if the reference is the id of one and the name of another */
export function onlyMatch<T extends { id: string } & Record<N, string>, N extends string>(
  reference: string,
  [found, other]: T[],
  { kind, name }: { kind: string; name: N },
): T {
  // Exit code 2: a word that begins with a hyphen was probably meant as an option.
  if (!found)
    throw new CommandError(`There is no ${kind} ${JSON.stringify(reference)}.`, reference.startsWith('-') ? 2 : 1)
  if (!other) return found
  const [byId, byName] = found.id === reference ? [found, other] : [other, found]
  throw new CommandError(
    `${reference} is the ID of the ${kind} ${byId[name]} and the ${name} of the ${kind} ${byName.id}. Say id:${reference} or name:${reference}.`,
  )
}
