import { bookPath } from '#app/booking/rules/hours.ts'
import { officeWeek } from '#app/platform/time/weekly-hours.ts'
import { callTypeBody, type CallTypeBody, type ListedCallType } from './calendar.ts'
import { hoursText } from './hours-fields.ts'

/** The fields of the form of a call type: numbers as typed, empty where each host has their own. */
export type CallTypeFields = Pick<CallTypeBody, 'title' | 'questions' | 'isActive'> & {
  slug: string
  isFirst: boolean
  lengthMinutes: string
  stepMinutes: string
  changeWindowHours: string
  place: string
  noticeHours: string
  bufferBeforeMinutes: string
  bufferAfterMinutes: string
  hasOwnHours: boolean
  /** Kept while they are not used, so that the switch can go back. */
  hours: NonNullable<CallTypeBody['hours']>
}

export const newCallType: CallTypeFields = {
  title: '',
  slug: '',
  isFirst: false,
  isActive: true,
  questions: [],
  lengthMinutes: '60',
  stepMinutes: '30',
  changeWindowHours: '2',
  place: '',
  noticeHours: '',
  bufferBeforeMinutes: '',
  bufferAfterMinutes: '',
  hasOwnHours: false,
  hours: officeWeek,
}

export function callTypeFieldsOf(type: ListedCallType): CallTypeFields {
  const text = (value: number | null, unit = 1) => (value === null ? '' : String(value / unit))
  return {
    title: type.title,
    slug: type.slug ?? '',
    isFirst: type.slug === null,
    isActive: type.isActive,
    questions: type.questions,
    lengthMinutes: text(type.lengthMinutes),
    stepMinutes: text(type.stepMinutes),
    changeWindowHours: text(type.changeWindowMinutes, 60),
    place: type.place ?? '',
    noticeHours: text(type.noticeMinutes, 60),
    bufferBeforeMinutes: text(type.bufferBeforeMinutes),
    bufferAfterMinutes: text(type.bufferAfterMinutes),
    hasOwnHours: type.hours !== null,
    hours: type.hours ?? officeWeek,
  }
}

/** The address follows the title until someone writes it, or people know it. */
export function applyChange(edit: { fields: CallTypeFields; slugFollows: boolean }, change: Partial<CallTypeFields>) {
  const slugFollows = edit.slugFollows && change.slug === undefined
  const fields = { ...edit.fields, ...change }
  return {
    slugFollows,
    fields: slugFollows && change.title !== undefined ? { ...fields, slug: slugOf(change.title) } : fields,
  }
}

function slugOf(title: string): string {
  const plain = title.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain
    .replaceAll(/[^a-z\d]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '')
}

type Checked = { body: CallTypeBody; errors?: never } | { body?: never; errors: Record<string, string> }

/** The body of a save, or an error for each field that is wrong. */
export function checkCallType({ isFirst, hasOwnHours, changeWindowHours, noticeHours, ...fields }: CallTypeFields): Checked {
  const numberOf = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))
  const orNull = (text: string, unit = 1) => (text.trim() === '' ? null : Number(text) * unit)
  // In the order of the form.
  const given = {
    title: fields.title,
    slug: isFirst ? null : fields.slug.trim(),
    isActive: fields.isActive,
    lengthMinutes: numberOf(fields.lengthMinutes),
    stepMinutes: numberOf(fields.stepMinutes),
    changeWindowMinutes: numberOf(changeWindowHours) * 60,
    hours: hasOwnHours ? fields.hours : null,
    place: fields.place.trim() || null,
    noticeMinutes: orNull(noticeHours, 60),
    bufferBeforeMinutes: orNull(fields.bufferBeforeMinutes),
    bufferAfterMinutes: orNull(fields.bufferAfterMinutes),
    questions: fields.questions,
  }
  const read = callTypeBody.safeParse(given)
  if (read.success) return { body: read.data }
  const placeOf = ({ path: [name] }: { path: readonly PropertyKey[] }) => Object.keys(given).indexOf(String(name))
  const errors: Record<string, string> = {}
  for (const { path, message } of read.error.issues.toSorted((one, other) => placeOf(one) - placeOf(other))) {
    errors[fieldOf(path)] ??= message
  }
  return { errors }
}

/** `hours.2` and `questions.0.label`; minutes that are typed as hours by the name of their field. */
function fieldOf(path: readonly PropertyKey[]): string {
  const name = path[0] === 'hours' ? path.slice(0, 2).join('.') : path.join('.')
  return name.replace('changeWindowMinutes', 'changeWindowHours').replace('noticeMinutes', 'noticeHours')
}

/** A call type as text, to read it or to compare two versions. */
export function describeCallType(fields: CallTypeFields): Record<string, string> {
  const { title, slug, isFirst, isActive, questions, lengthMinutes, stepMinutes, changeWindowHours } = fields
  const orHosts = (text: string, unit: string) => (text === '' ? 'As each host has it' : `${text}${unit}`)
  return {
    Title: title,
    Address: bookPath(isFirst ? null : slug),
    'Can be booked': isActive ? 'Yes' : 'No',
    Length: `${lengthMinutes} minutes`,
    Starts: `Every ${stepMinutes} minutes`,
    'Change window': `${changeWindowHours} hours`,
    Hours: fields.hasOwnHours ? hoursText(fields.hours) : orHosts('', ''),
    Place: orHosts(fields.place, ''),
    Notice: orHosts(fields.noticeHours, ' hours'),
    'Free before a call': orHosts(fields.bufferBeforeMinutes, ' minutes'),
    'Free after a call': orHosts(fields.bufferAfterMinutes, ' minutes'),
    Questions: questions.map(({ label, isRequired }) => (isRequired ? `${label} (required)` : label)).join('\n'),
  }
}
