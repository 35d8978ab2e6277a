import { apiRequest } from '#app/platform/browser/api.ts'
import { readForeignText } from '#app/platform/text/foreign-text.ts'
import { detectFormat, fileLimits, format, formats, ruleFieldLabels, ruleFields } from '#app/redirects/formats/rule-file.ts'
import { ImportDialog } from '#app/ui/admin/import-dialog.tsx'
import { assignField, type ImportCount, type ImportView } from '#app/ui/admin/import-view.tsx'
import { type ImportNoun, ImportRefusal } from '#app/ui/admin/use-import.ts'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { Switch } from '#app/ui/switch.tsx'
import { numberText } from '#app/platform/text/english-number.ts'
import { redirectData } from './redirect-errors.ts'
import {
  countStates,
  type ImportBody,
  type ImportLine,
  importReport,
  lineStates,
  REDIRECT_IMPORT,
  type RedirectImportReport,
} from './rule-import.ts'

/** Redirects of another program, of a server, or an export from here. */
const noun: ImportNoun<ImportBody, RedirectImportReport> = {
  one: 'redirect',
  many: 'redirects',
  file: {
    label: 'File',
    accept: '.csv,.tsv,.txt,.json,.htaccess,.conf,text/*,application/json',
    hint: 'Redirects of another program, of Apache or nginx, or an export from here.',
  },
  start: { text: '', format: 'csv', replace: false, confirm: false },
  isEmpty: ({ text }) => text.trim() === '',
  nameOf: () => '',
  async read([file], given) {
    // A UTF-8 character has at most four bytes, so a larger file is over the limit in any case.
    if (!file || file.size > fileLimits.characters * 4) throw new ImportRefusal('This file is too long.')
    const text = readForeignText(new Uint8Array(await file.arrayBuffer()))
    return { ...given, columns: undefined, text, format: detectFormat(text, file.name) }
  },
  paste: { textOf: ({ text }) => text, give: (given, text) => ({ ...given, columns: undefined, text, format: detectFormat(text) }) },
  async send(body, { dry }) {
    return importReport.parse(await (await apiRequest('POST', `${REDIRECT_IMPORT}?dry=${dry}`, body)).json())
  },
  options: (given, change, report) => (
    <>
      <Field label="Format" name="format" tool>
        <Select value={given.format} onChange={({ target }) => change({ ...given, format: format.safeParse(target.value).data ?? 'csv' })}>
          {formats.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Switch label="Replace all existing redirects" checked={given.replace} onChange={(replace) => change({ ...given, replace })} />
      {report && countStates(report.lines).doubtful > 0 && (
        <Switch
          label="Also import redirects that need review"
          checked={given.confirm}
          onChange={(confirm) => change({ ...given, confirm }, 'known')}
        />
      )}
    </>
  ),
  view: (report, given, change) => ({ ...columnsOf(report, given, change), ...outcomeOf(report) }),
  totalOf({ lines }, { confirm }) {
    const counts = countStates(lines)
    return counts.new + (confirm ? counts.doubtful : 0)
  },
  writtenIn: ({ written }) => written,
  nothing: 'There is nothing to import.',
  question: ({ replace }) =>
    replace
      ? {
          title: 'Replace all redirects?',
          confirm: 'Replace all',
          children: <p>This deletes every current redirect and its hit count. Export them first to keep a copy.</p>,
        }
      : undefined,
  touches: redirectData,
}

/** Two steps: the report of a dry run comes before anything is written. */
export function RedirectImportDialog({ close }: { close: () => void }) {
  return <ImportDialog noun={noun} onClose={close} />
}

const options = [{ value: '', label: 'Do not import' }, ...ruleFields.map((value) => ({ value, label: ruleFieldLabels[value] }))]

function columnsOf(
  { heads, columns: found }: RedirectImportReport,
  given: ImportBody,
  change: (given: ImportBody) => void,
): Pick<ImportView, 'columns' | 'missing'> {
  const columns = given.columns ?? found
  const isOpen = heads.length > 0 && (!columns.includes('fromPath') || !columns.includes('toPath'))
  return {
    columns: heads.map((head, at) => ({
      head,
      value: columns[at] ?? '',
      options,
      choose: (value) => change({ ...given, columns: assignField(columns, at, ruleFields.find((field) => field === value) ?? null) }),
    })),
    missing: isOpen ? 'Choose the columns with the old and the new addresses.' : undefined,
  }
}

const states: Record<ImportLine['state'], Required<ImportCount>> = {
  new: { text: 'New', look: 'leaf', means: 'will be added' },
  doubtful: { text: 'Needs review', look: 'grain', means: 'makes a chain, is never reached, or hides a page' },
  duplicate: { text: 'Duplicate', look: 'plain', means: 'is skipped' },
  problem: { text: 'Loop', look: 'alarm', means: 'would loop, and is skipped' },
  refused: { text: 'Refused', look: 'alarm', means: 'is not a valid redirect, and is skipped' },
}

/** In the preview. */
const SHOWN = 50

/** A count per state, and each line that is not simply added, with its reason. */
function outcomeOf({ lines }: RedirectImportReport): Omit<ImportView, 'columns'> {
  const counts = countStates(lines)
  const present = lineStates.filter((state) => counts[state] > 0)
  const mended = lines.filter(({ notes }) => notes)
  return {
    counts:
      lines.length === 0
        ? [{ text: 'No redirects found in this text.' }]
        : present.map((state) => ({ ...states[state], text: `${numberText(counts[state])} ${states[state].text}` })),
    rows: [
      ...present
        .toReversed()
        .filter((state) => state !== 'new')
        .map((state) => ({
          title: states[state].text,
          isOpen: state !== 'duplicate',
          rows: lines.filter((line) => line.state === state).map((line) => listed(line, [line.reason, pathOf(line)])),
        })),
      { title: 'Corrected', isOpen: true, rows: mended.map((line) => listed(line, line.notes ?? [])) },
    ],
    preview: {
      heads: ['From', 'To', 'Status code'],
      rows: lines.slice(0, SHOWN).map(({ line, text, state, reason, rule }) => ({
        result: { line, outcome: { text: states[state].text, look: states[state].look }, reason },
        cells: rule ? [rule.fromPath, rule.toPath, String(rule.statusCode)] : [text, '', ''],
      })),
    },
  }
}

function listed({ line, text, rule }: ImportLine, reasons: readonly (string | undefined)[]) {
  const said = rule ? `${rule.fromPath} → ${rule.toPath} (${rule.statusCode})` : text
  return {
    key: `${line} ${said}`,
    place: `Line ${line}`,
    texts: [said],
    reasons: reasons.filter((reason) => reason !== undefined),
  }
}

/** The addresses along a chain or a loop, where the reason does not name them. */
function pathOf({ path, reason }: ImportLine): string | undefined {
  const said = path?.join(' → ')
  return said && path && path.length > 1 && !reason?.includes(said) ? said : undefined
}
