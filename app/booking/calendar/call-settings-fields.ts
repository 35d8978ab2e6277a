import type { z } from 'zod/mini'
import { type CallSettings, settingsBody } from './calendar.ts'

/** The fields of the settings' form: numbers as typed. */
export type SettingFields = Pick<CallSettings, 'title' | 'questions'> & {
  lengthMinutes: string
  stepMinutes: string
  changeWindowHours: string
}

export function settingFieldsOf({ title, questions, lengthMinutes, stepMinutes, changeWindowMinutes }: CallSettings): SettingFields {
  return {
    title,
    questions,
    lengthMinutes: String(lengthMinutes),
    stepMinutes: String(stepMinutes),
    changeWindowHours: String(changeWindowMinutes / 60),
  }
}

type Checked = { body: z.infer<typeof settingsBody>; errors?: never } | { body?: never; errors: Record<string, string> }

/** The body of a save, or an error for each field that is wrong. */
export function checkSettings({ title, questions, lengthMinutes, stepMinutes, changeWindowHours }: SettingFields): Checked {
  const numberOf = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))
  const read = settingsBody.safeParse({
    title,
    questions,
    lengthMinutes: numberOf(lengthMinutes),
    stepMinutes: numberOf(stepMinutes),
    changeWindowMinutes: numberOf(changeWindowHours) * 60,
  })
  if (read.success) return { body: read.data }
  const errors = read.error.issues.map(({ path, message }) => [path.join('.').replace('changeWindowMinutes', 'changeWindowHours'), message])
  return { errors: Object.fromEntries(errors.toReversed()) }
}

/** The settings as text, to read them or to compare two versions. */
export function describeSettings({
  title,
  questions,
  lengthMinutes,
  stepMinutes,
  changeWindowHours,
}: SettingFields): Record<string, string> {
  return {
    Title: title,
    Length: `${lengthMinutes} minutes`,
    Starts: `Every ${stepMinutes} minutes`,
    'Change window': `${changeWindowHours} hours`,
    Questions: questions.map(({ label, isRequired }) => (isRequired ? `${label} (required)` : label)).join('\n'),
  }
}
