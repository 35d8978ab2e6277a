import { useState } from 'react'
import type { z } from 'zod/mini'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import type { Toast } from '#app/ui/toast.ts'
import { showFailure } from './tell-failure.ts'
import { type ApiData, useAction } from './use-action.ts'
import { type Errors, useFormErrors, useOnce } from './use-form.ts'

/** The result of checking the fields: the request body, or an error for each invalid field. */
type Checked = { body: unknown; errors?: never } | { body?: never; errors: Errors }

/** The fields, and whether the slug still follows the name. */
export type FormEdit<Fields> = { fields: Fields; slugFollows: boolean }

type EditFormOptions<Row extends { id: string; version?: number }, Fields extends object> = {
  /** As the toasts name it: 'Blog post'. */
  noun: string
  /** The address of the collection. */
  url: string
  /**
   * The row to edit; without one, the form creates a row. Its version is the one that the fields are based on; version 0 was begun and never
   * saved, so its first save creates it for people.
   */
  row: Row | undefined
  /** The first save of a row that was begun is a POST to the collection, under the id of the row. Otherwise it is a PUT like any other. */
  postsFirst?: boolean
  /** The data that a save changes. */
  touches?: ApiData
  /** Of a row in responses. */
  schema: z.ZodMiniType<Row>
  begin: () => FormEdit<Fields>
  editOf: (row: Row) => FormEdit<Fields>
  apply: (edit: FormEdit<Fields>, change: Partial<Fields>) => FormEdit<Fields>
  check: (fields: Fields) => Checked
  /** The toast after a save, where it says more than that. */
  done?: (row: Row) => Toast
  /** The head of the toast after a refusal; by default, `Error creating` or `Error updating` and the noun. */
  failed?: string
  /** Assigns the server's errors to the fields. */
  assign?: (errors: Errors) => Errors
  /** Runs before a request. */
  onSaving?: () => Promise<void>
  /** `goOn` continues with the saved row, where the form stays open. Text typed during the request stays as an unsaved change of that row. */
  onSaved: (row: Row, goOn: (row: Row) => void) => unknown
  /** Runs after a refusal or failure. */
  onRefused?: (error: Error) => void
}

type Sending<Row, Fields> = {
  body: unknown
  over: Row | undefined
  /** The edit when its button was pressed. */
  pressed: FormEdit<Fields>
  /** The change that the button itself makes, in addition to the fields. */
  change: Partial<Fields> | undefined
}

const NOT_SAVED = 'We couldn’t reach the server. Your changes are still here. Please try again.'

/**
 * A form whose fields are values of the page, and the version that a save is compared with. A version that someone else saved meanwhile is
 * never overwritten silently: it becomes `conflict` until `settle`.
 */
export function useEditForm<Row extends { id: string; version?: number }, Fields extends object>({
  noun,
  url,
  schema,
  row,
  onSaving,
  onSaved,
  onRefused,
  ...ways
}: EditFormOptions<Row, Fields>) {
  const [base, setBase] = useState(row)
  const [edit, setEdit] = useState(ways.begin)
  const [stored, setStored] = useState(edit.fields)
  const state = useFormErrors(ways.assign)
  const [conflict, setConflict] = useState<Row>()
  const begin = (from: Row, editAfter = (next: FormEdit<Fields>, _now: FormEdit<Fields>) => next) => {
    const next = ways.editOf(from)
    setBase(from)
    setEdit((now) => editAfter(next, now))
    setStored(next.fields)
    state.refuse({})
  }
  const withChange = (from: FormEdit<Fields>, change: Partial<Fields> | undefined) => (change ? ways.apply(from, change) : from)

  /** Shows a newer version, or the errors at their fields. Returns whether there was either. */
  const refusedBy = (error: Error): boolean => {
    const newer = newerIn(error, schema)
    if (newer) setConflict(newer)
    return newer !== undefined || state.refusedBy(error)
  }

  const save = useAction({
    async send({ body, over }: Sending<Row, Fields>) {
      await onSaving?.()
      const { method, target, condition } = requestOf(url, over, ways.postsFirst)
      const headers = { 'content-type': 'application/json', ...condition }
      return schema.parse(await (await apiRequest(method, target, body, { headers })).json())
    },
    touches: ways.touches ?? [],
    onDone(saved, { pressed, change }) {
      state.saved()
      return onSaved(saved, (row) => begin(row, (next, now) => (now === pressed ? next : withChange(now, change))))
    },
    done: (saved, { over }) => ways.done?.(saved) ?? `${noun} ${isSaved(over) ? 'updated' : 'created'} successfully`,
    failed: ways.failed ?? `${noun} not saved`,
    onRefused(error, { over, change }) {
      const head = ways.failed ?? `Error ${isSaved(over) ? 'updating' : 'creating'} ${noun.toLowerCase()}`
      showFailure(head, error, NOT_SAVED)
      if (newerIn(error, schema)) setEdit((now) => withChange(now, change))
      refusedBy(error)
      onRefused?.(error)
      return true
    },
  })
  const once = useOnce(save.isPending)

  /**
   * Returns the errors that keep the form from being sent. `change` is made and sent in one step: where the form is refused, it is not made,
   * and the button that stands for it stays.
   */
  function submit(change?: Partial<Fields>, over = base): Errors {
    const { body, errors: found = {} } = ways.check(withChange(edit, change).fields)
    state.refuse(found)
    if (body === undefined) return found
    once(() => save.mutate({ body, over, pressed: edit, change }))
    return {}
  }

  return {
    ...state,
    begin: (from: Row) => begin(from),
    refusedBy,
    base,
    fields: edit.fields,
    isChanged: JSON.stringify(edit.fields) !== JSON.stringify(stored),
    conflict,
    isSaving: save.isPending,
    submit,
    onSubmit: () => void submit(),
    /** Editing a field clears its errors, and those of fields that follow it. */
    change: (given: Partial<Fields>) => {
      const next = ways.apply(edit, given).fields
      setEdit((now) => ways.apply(now, given))
      state.forget((path) => isChangedAt(path.split('.'), edit.fields, next))
    },
    /** Replaces all fields, based on another version of the row. */
    replace: (next: FormEdit<Fields>, version: number | undefined) => {
      setEdit(next)
      setBase((now) => now && { ...now, version: version ?? now.version })
    },
    /** Continues from the newer version: with these edits, or with theirs. */
    settle: (newer: Row, keep: 'mine' | 'theirs') => {
      setConflict(undefined)
      if (keep === 'theirs') return begin(newer)
      setBase(newer)
      submit(undefined, newer)
    },
    leaveConflict: () => setConflict(undefined),
  }
}

function isSaved(over: { version?: number } | undefined): boolean {
  return over !== undefined && over.version !== 0
}

type SaveRequest = { method: 'POST' | 'PUT'; target: string; condition: Record<string, string> }

/** A repeated save of a row that was begun creates it once; a save of any other names the version that it is based on. */
function requestOf(url: string, over: { id: string; version?: number } | undefined, postsFirst = false): SaveRequest {
  if (!over) return { method: 'POST', target: url, condition: {} }
  if (postsFirst && !isSaved(over)) return { method: 'POST', target: url, condition: { 'idempotency-key': over.id } }
  const target = `${url}/${encodeURIComponent(over.id)}`
  return { method: 'PUT', target, condition: { ...(over.version !== undefined && { 'if-match': `"${over.version}"` }) } }
}

function newerIn<Row>(error: Error, schema: z.ZodMiniType<Row>): Row | undefined {
  if (!(error instanceof ApiError) || error.problem?.code !== 'edit_conflict') return undefined
  const read = schema.safeParse(error.problem.current)
  return read.success ? read.data : undefined
}

/** Whether the value at a path differs. Entries that moved, were added or removed count as changed: the path may be of another one now. */
export function isChangedAt([step, ...rest]: readonly string[], before: unknown, after: unknown): boolean {
  if (before === after) return false
  if (step === undefined || !isNested(before) || !isNested(after)) return true
  if (Array.isArray(before) && Array.isArray(after) && !isOneEdited(before, after)) return true
  // Names of columns can have dots.
  const whole = [step, ...rest].join('.')
  if (Object.hasOwn(before, whole) || Object.hasOwn(after, whole))
    return isChangedAt([], Reflect.get(before, whole), Reflect.get(after, whole))
  return isChangedAt(rest, Reflect.get(before, step), Reflect.get(after, step))
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isOneEdited(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.length === after.length && before.filter((one, index) => one !== after[index]).length <= 1
}
