import { expect, test } from 'playwright/test'
import { emailAddress } from '@/lib/api/schemas'

const domainOf = (characters: number) => `${'b.'.repeat((characters - 4) / 2)}abcd`

test('an address keeps its ASCII local part, and its domain becomes A-labels in lower case', () => {
  for (const [given, kept] of [
    ['ada@EXAMPLE.com', 'ada@example.com'],
    ['Ada.B+tag@example.com', 'Ada.B+tag@example.com'],
    ["-o'b_{|}~@sub.example.co.uk", "-o'b_{|}~@sub.example.co.uk"],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@BU\u0308CHER.example', 'ada@xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    [`${'a'.repeat(63)}@${domainOf(190)}`, `${'a'.repeat(63)}@${domainOf(190)}`],
  ])
    expect(emailAddress.parse(given)).toBe(kept)
})

for (const [what, wrong] of Object.entries({
  'two addresses': [
    ...['ada@example.com,ben@example.com', 'ada@example.com ben@example.com', 'ada@example.com;ben@example.com'],
    ...['ada@ben@example.com', 'ada@example.com\nben@example.com', 'ada@example.com%2Cben@example.com'],
  ],
  'control and bidirectional characters': [
    ...['ada@example.com\r\nBcc: ben@example.com', 'ada@example.com\n', '\nada@example.com', 'ada\r@example.com'],
    ...['ada\u0000@example.com', 'ada@example.com\u0000', 'ada\u0007@x.org', 'ada@exa\tmple.com', 'ada\u007f@x.org'],
    ...['ada\u202e@example.com', 'ada@example\u202e.com', 'ada@\u2066example.com', '\u200fada@example.com'],
    ...['ada@exam\u00adple.com', 'ada@example\u200b.com', 'ada@example.com\ufeff', 'ada@example.com\u2028'],
  ],
  'too many characters': [
    ...[`${'a'.repeat(64)}@${domainOf(190)}`, `${'a'.repeat(65)}@example.com`, `ada@${'b'.repeat(64)}.com`],
  ],
  'no local part or domain': [
    ...['', 'ada', 'ada@', '@example.com', 'ada@@example.com', 'ada@example', 'ada@.com', 'ada@-x.com', 'ada@x-.com'],
    ...['ada@example.com.', 'ada@a..com', 'ada@x.c', '.ada@x.org', 'ada.@x.org', 'a..b@x.org', 'ada@exa_mple.com'],
    ...['ada@1.2.3.4', 'ada@[1.2.3.4]', 'ada@1.2.3', 'ada@0x7f.1', 'ada@xn--a.com', 'ada@example.1'],
  ],
  'what surrounds an address': [
    ...['Ada <ada@example.com>', '"ada"@example.com', 'ada(x)@example.com', ' ada@example.com', 'ada@example.com '],
    ...['ada@example.com/x', 'ada@example.com:25', 'ada@exam%70le.com', 'ada@example.com?x', 'ada@example.com#x'],
    ...['mailto:ada@example.com', 'ada@user:pass@example.com', 'ada@\\example.com'],
  ],
  'another alphabet where it is not allowed': ['adä@example.com', 'ａda@example.com', 'ada@example。com'],
}))
  test(`an address with ${what} is rejected`, () => {
    for (const one of wrong) expect(emailAddress.safeParse(one).success, JSON.stringify(one)).toBe(false)
  })
