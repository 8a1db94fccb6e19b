/** Whether anything has changed since it was cleared, and a wait until something does. One caller waits at a time. */
export class ChangeFlag {
  #isSet = false
  #resume = () => {}

  get isSet(): boolean {
    return this.#isSet
  }

  set(): void {
    this.#isSet = true
    this.#resume()
  }

  clear(): void {
    this.#isSet = false
  }

  async wait(): Promise<void> {
    if (this.#isSet) return
    await new Promise<void>((resolve) => {
      this.#resume = resolve
    })
  }
}
