import { ImportDialog } from '#app/ui/admin/import-dialog.tsx'
import type { ImportCount, ImportView } from '#app/ui/admin/import-view.tsx'
import { type ImportNoun, ImportRefusal } from '#app/ui/admin/use-import.ts'
import { dateOrders } from '#app/platform/reading/column-reading.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { type ConflictChoice, conflictChoices, type ImportedFile } from './post-file.ts'
import { packFolder, sendArchive } from './send-archive.ts'

type Given = { archive: Blob | undefined; name: string; onConflict: ConflictChoice; dateOrder?: (typeof dateOrders)[number] | undefined }
type Report = readonly ImportedFile[]

/** Posts of another blog, or an export from here. */
const noun: ImportNoun<Given, Report> = {
  one: 'post',
  many: 'posts',
  file: {
    label: 'File',
    accept: '.zip,.xml,.json,.md,.markdown,application/zip',
    hint: 'An export of WordPress (.xml) or Ghost (.json), or Markdown files with front matter. Put pictures into the same zip archive or folder. Posts keep their dates, and old addresses lead to the new ones.',
    hasFolder: true,
  },
  start: { archive: undefined, name: '', onConflict: 'skip' },
  isEmpty: ({ archive }) => archive === undefined,
  nameOf: ({ name }) => name,
  async read(chosen, { onConflict }) {
    const files = chosen.filter(({ webkitRelativePath }) => !/(^|\/)\./.test(webkitRelativePath))
    const [first] = files
    if (!first) throw new ImportRefusal('This folder has no files.')
    const isArchive = files.length === 1 && /\.zip$/i.test(first.name)
    const name = first.webkitRelativePath.split('/')[0] || first.name
    return { archive: isArchive ? first : await packFolder(files), name, onConflict }
  },
  async send({ archive, onConflict, dateOrder }, { dry, onStep }) {
    if (!archive) return []
    let done = 0
    return sendArchive({ archive, dry, onConflict, dateOrder, onFile: ({ of }) => onStep({ done: (done += 1), of }) })
  },
  options: ({ onConflict, ...given }, change, report) =>
    report && (
      <fieldset className="grid gap-2 text-small">
        <legend className="pb-1 font-semibold">If a post with the same slug exists</legend>
        {conflictChoices.map((value) => (
          <label key={value} className="flex min-h-9 items-center gap-2.5">
            <input
              type="radio"
              className="accent-ink"
              name="on-conflict"
              value={value}
              checked={onConflict === value}
              onChange={() => change({ ...given, onConflict: value }, 'known')}
            />
            {value === 'skip' ? 'Keep the existing post' : 'Replace it and keep its version history'}
          </label>
        ))}
      </fieldset>
    ),
  view: (report, given, change) => ({ ...questionsOf(report, given, change), ...outcomeOf(planned(report, given.onConflict)) }),
  totalOf: (report, { onConflict }) => planned(report, onConflict).filter(isWritten).length,
  writtenIn: (report) => report.filter(isWritten).length,
  nothing: 'There is nothing to import.',
  isKept: true,
  touches: /^\/api\/(blog|images)/,
}

/** Two steps: the report of a dry run comes before anything is written. */
export function PostImportDialog({ onClose }: { onClose: () => void }) {
  return <ImportDialog noun={noun} onClose={onClose} />
}

/** The dry run used the first choice. For an existing post the other outcome follows from it. */
function planned(report: Report, choice: ConflictChoice): Report {
  return report.map((file) =>
    file.state === 'kept' && choice === 'replace'
      ? { ...file, state: 'changed' }
      : file.state === 'changed' && choice === 'skip'
        ? { ...file, state: 'kept' }
        : file,
  )
}

const isWritten = ({ state, slug }: ImportedFile) => slug !== undefined && (state === 'new' || state === 'changed')

/** A date with two readings, and what each of them makes of it. One answer counts for all files. */
function questionsOf(report: Report, given: Given, change: (given: Given) => void): Pick<ImportView, 'questions'> {
  const [doubt] = report.flatMap(({ dateQuestion }) => dateQuestion ?? [])
  if (!doubt) return {}
  return {
    questions: [
      {
        name: 'dateOrder',
        head: 'date',
        text: doubt.text,
        readings: doubt.readings,
        chosen: given.dateOrder ?? null,
        answer: (value) => change({ ...given, dateOrder: dateOrders.find((order) => order === value) }),
      },
    ],
  }
}

const looks: Record<ImportedFile['state'], ImportCount> = {
  new: { text: 'New', look: 'leaf' },
  changed: { text: 'Changes', look: 'grain' },
  kept: { text: 'Kept' },
  same: { text: 'Same' },
  refused: { text: 'Refused', look: 'alarm' },
  failed: { text: 'Failed', look: 'alarm' },
}

/** The outcome for each file; those that need attention come first. */
function outcomeOf(files: Report): Omit<ImportView, 'questions'> {
  const isWrong = ({ state, notes }: ImportedFile) => state === 'refused' || state === 'failed' || notes !== undefined
  const states = [...new Set(files.map(({ state }) => state))]
  return {
    counts: states.map((state) => {
      const count = files.filter((file) => file.state === state).length
      return { ...looks[state], text: `${numberText(count)} ${looks[state].text.toLowerCase()}` }
    }),
    rows: [
      { title: 'Needs attention', isOpen: true, rows: files.filter(isWrong).map(listed) },
      { title: 'Files', isOpen: true, rows: files.filter((file) => !isWrong(file)).map(listed) },
    ],
  }
}

function listed({ name, state, slug, isPublished, oldPath, reason, notes = [] }: ImportedFile) {
  return {
    key: name,
    place: name,
    badge: looks[state],
    texts: [...(slug ? [`/blog/${slug}, ${isPublished ? 'published' : 'draft'}`] : []), ...(oldPath ? [`301 from ${oldPath}`] : [])],
    reasons: [...(reason ? [reason] : []), ...notes],
  }
}
