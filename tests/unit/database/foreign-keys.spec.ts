import { readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import { references } from '@/lib/database/postgresql/dialect'

const schema = readFileSync('prisma/schema.prisma', 'utf8')

test('`accounts check` looks at each foreign key of the PostgreSQL schema', () => {
  const models = [...schema.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)]
  const relations = models.flatMap(([, table, body = '']) =>
    [...body.matchAll(/ (\w+)\?? +@relation\(fields: \[(\w+)\], references: \[(\w+)\]/g)].map(
      ([, parent, column, parentColumn]) => [table, column, parent, parentColumn],
    ),
  )
  expect(relations.length).toBeGreaterThan(0)
  expect(relations.toSorted()).toEqual(references.map((one) => [...one]).toSorted())
})
