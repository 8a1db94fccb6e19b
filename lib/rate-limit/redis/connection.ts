/** Results are `unknown`, because a misconfigured server may send anything. */
export interface RedisConnection {
  readonly name: string
  run(script: string, keys: string[], args: (string | number)[]): Promise<unknown>
  /** Null for a missing key. */
  read(keys: string[]): Promise<unknown>
  remove(keys: string[]): Promise<unknown>
  close(): void
}
