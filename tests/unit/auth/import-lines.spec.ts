import { expect, test } from 'playwright/test'
import { linesOf } from '@/lib/auth/operator/import'

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function read(text: string, size: number) {
  const lines: [number, string | null][] = []
  let consumed = 0
  const bytes = Buffer.from(text)
  for await (const { line, text } of linesOf(chunksOf(bytes, size), (count) => (consumed += count)))
    lines.push([line, text])
  expect(consumed).toBe(bytes.length)
  return lines
}

test('lines are counted from 1 and come whole, wherever the stream is cut', async () => {
  const text = '\uFEFF{"first":"é😀"}\r\n\n  \n{"fourth":1}\n\n{"last":"no newline"}'
  for (const size of [1, 2, 3, 7, 1000])
    expect(await read(text, size)).toEqual([
      [1, '{"first":"é😀"}'],
      [4, '{"fourth":1}'],
      [6, '{"last":"no newline"}'],
    ])
  for (const text of ['', '\n', '\r\n\r\n']) expect(await read(text, 1)).toEqual([])
})

test('a line that is too long is reported, and the next ones are read', async () => {
  const long = 'x'.repeat(1024 * 1024)
  const text = `${long}\n${long}x\n{}\n${long}${long}`
  expect(await read(text, 64 * 1024)).toEqual([
    [1, long],
    [2, null],
    [3, '{}'],
    [4, null],
  ])
})
