import { text } from 'node:stream/consumers'
import { readDataset, readingOrder } from './read-dataset.server.ts'
import { Unreadable } from './unreadable.ts'

/** What the process says, one line of JSON each. */
const say = (word: unknown) => process.stdout.write(`${JSON.stringify(word)}\n`)

// A file of a stranger is read in a process of its own: what makes it fall leaves the product standing. The order comes by standard input.
try {
  const order = readingOrder.parse(JSON.parse(await text(process.stdin)))
  say({ read: await readDataset(order, (step, share) => say({ step, share })) })
} catch (error) {
  if (!(error instanceof Unreadable)) throw error
  say({ refused: error.message })
}
