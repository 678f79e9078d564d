/**
 * Counts the requests that wait in a queue or are worked on. One address or account may hold at most as many places as are still free:
 * half of them if it is alone, and fewer the fuller the queue is, so that others still find room.
 */
export class Places {
  readonly #room: number;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(room: number) {
    this.#room = room;
  }

  hasRoom(keys: string[]): boolean {
    const free = this.#room - this.#total;
    return free > 0 && keys.every((key) => (this.#taken.get(key) ?? 0) < free);
  }

  take(keys: string[]): void {
    this.#total += 1;
    for (const key of keys) this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
  }

  leave(keys: string[]): void {
    this.#total -= 1;
    for (const key of keys) {
      const left = (this.#taken.get(key) ?? 0) - 1;
      if (left > 0) this.#taken.set(key, left);
      else this.#taken.delete(key);
    }
  }
}

/** Round-robin: a client that was served goes behind all others that wait. */
export class Turns<Task> {
  readonly #tasks = new Map<string, Task[]>();
  size = 0;

  push(key: string, task: Task): void {
    const tasks = this.#tasks.get(key);
    if (tasks) tasks.push(task);
    else this.#tasks.set(key, [task]);
    this.size += 1;
  }

  shift(): Task | undefined {
    const [first] = this.#tasks;
    if (!first) return undefined;
    const [key, [task, ...rest]] = first;
    this.#tasks.delete(key);
    if (rest.length > 0) this.#tasks.set(key, rest);
    this.size -= 1;
    return task;
  }

  remove(key: string, task: Task): void {
    const tasks = this.#tasks.get(key) ?? [];
    const left = tasks.filter((each) => each !== task);
    this.size -= tasks.length - left.length;
    if (left.length > 0) this.#tasks.set(key, left);
    else this.#tasks.delete(key);
  }
}
