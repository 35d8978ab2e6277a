import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { refuse } from './refusal.ts'

const derive = promisify(argon2)

const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const TAG_BYTES = 32
const SALT_BYTES = 16

/** More at once than there are cores would only make all of them slower; who waits longer than this queue is told to come back. */
const atOnce = availableParallelism()
const LONGEST_QUEUE = 64

/** Compared against when there is no password to compare with, so that this takes as long. Nothing hashes to it. */
const nobody = {
  salt: randomBytes(SALT_BYTES),
  memory: MEMORY_KIB,
  passes: PASSES,
  lanes: LANES,
  tag: randomBytes(TAG_BYTES),
}

let running = 0
const waiting: (() => void)[] = []

/** How many hashes have been worked out since the start: two requests that must look alike must cost alike. */
export let hashCount = 0

/** Hashes a password with argon2id. Answers a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return phc(salt, await work(password, { salt, memory: MEMORY_KIB, passes: PASSES, lanes: LANES, length: TAG_BYTES }))
}

/** Whether the password is the one that was hashed. Without a hash the answer is no, after the same work. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const known = parsePhc(hash ?? '')
  const { tag, ...cost } = known ?? nobody
  const found = await work(password, { ...cost, length: tag.length })
  return timingSafeEqual(found, tag) && known !== undefined
}

type Cost = { salt: Uint8Array; memory: number; passes: number; lanes: number; length: number }

async function work(password: string, { salt, memory, passes, lanes, length }: Cost): Promise<Buffer> {
  await enter()
  try {
    hashCount += 1
    return await derive('argon2id', { message: password, nonce: salt, memory, passes, parallelism: lanes, tagLength: length })
  } finally {
    leave()
  }
}

async function enter(): Promise<void> {
  if (running < atOnce) {
    running += 1
    return
  }
  if (waiting.length >= LONGEST_QUEUE) refuse('unexpected_failure', { retryAfter: 2 })
  await new Promise<void>((resolve) => waiting.push(resolve))
}

/** The place goes straight to the next in the queue. */
function leave() {
  const next = waiting.shift()
  if (next) next()
  else running -= 1
}

function phc(salt: Buffer, tag: Buffer): string {
  const [first, second] = [salt, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${first}$${second}`
}

function parsePhc(hash: string) {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash)
  if (!parts) return undefined
  const [, memory, passes, lanes, salt = '', tag = ''] = parts
  return {
    memory: Number(memory),
    passes: Number(passes),
    lanes: Number(lanes),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}
