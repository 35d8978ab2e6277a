import { longDay } from '#app/platform/time/english-date.ts'
import { momentIn } from '#app/platform/time/iso-moment.ts'
import { type DateOrder, dateOrders, readColumn } from '#app/platform/reading/column-reading.ts'
import { dateReadings } from '#app/platform/reading/written-date.ts'
import type { Archive } from './archive.server.ts'
import { readFrontMatter } from './front-matter.server.ts'
import type { ImportedFile } from './post-file.ts'
import { writtenDate } from './post-source.server.ts'
import { readText } from './read-text.server.ts'

/** The moment of a post, and what a person should know of it; or the reason why it has none. `question` is open without a `moment`. */
export type PostDate = { moment?: Date; note?: string; question?: ImportedFile['dateQuestion'] } | { reason: string }

/** Reads the dates of posts. Those of all files decide together in which order day and month are; `chosen` counts where they leave it open. */
export async function readDates(archive: Archive, mostBytes: number, chosen: DateOrder | undefined): Promise<(text: string) => PostDate> {
  const texts: string[] = []
  for (const file of archive.posts) {
    const text = file.exported ? undefined : await readText(file, mostBytes)
    const source = typeof text === 'string' ? readFrontMatter(text) : undefined
    const date = source && 'matter' in source ? writtenDate(file.name.slice(archive.root.length), source.matter) : undefined
    if (date !== undefined && !momentIn(date)) texts.push(date)
  }
  const { read, doubt } = readColumn(texts, { ways: dateOrders, readingsOf: dateReadings }, chosen)
  const readings = dateOrders.flatMap((value) => {
    const date = doubt?.readings[value]
    return date ? [{ value, reads: longDay(date) }] : []
  })
  const question = doubt && { text: doubt.text, readings }
  return (text) => {
    const exact = momentIn(text)
    if (exact) return { moment: exact }
    const moment = read(text)
    if (moment === undefined) return { reason: `Its date is not readable: ${text.slice(0, 60)}` }
    if (moment === 'open') return { ...(question && { question }) }
    return { moment, note: `Its date “${text.slice(0, 60)}” is read as ${longDay(moment)}.`, ...(question && { question }) }
  }
}
