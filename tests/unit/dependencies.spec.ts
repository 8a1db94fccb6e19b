import { readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'

const read = (path: string) => readFileSync(path, 'utf8')

test('a workflow audits the dependencies each day, and what CI runs does not', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  expect(scripts.audit).toMatch(/^npm audit --audit-level=/)
  const workflow = read('.github/workflows/audit.yml')
  expect(workflow).toMatch(/^ {2}schedule:\n {4}- cron: '\d+ \d+ \* \* \*'$/m)
  expect(workflow).toMatch(/^ +- run: npm run audit$/m)
  expect(read('.ci/run')).not.toContain('audit')
})

test('SECURITY.md has a time for advisories of each severity', () => {
  for (const severity of ['critical', 'high', 'moderate', 'low'])
    expect(read('SECURITY.md')).toMatch(new RegExp(`^\\| ${severity}[^|]* \\| \\d+ days \\| \\d+ days \\|$`, 'm'))
})
