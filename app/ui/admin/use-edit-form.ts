import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod/mini'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'
import { showFailure } from './tell-failure.ts'

type Errors = Record<string, string>

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
  /** Of a row in responses. */
  schema: z.ZodMiniType<Row>
  begin: () => FormEdit<Fields>
  editOf: (row: Row) => FormEdit<Fields>
  apply: (edit: FormEdit<Fields>, change: Partial<Fields>) => FormEdit<Fields>
  check: (fields: Fields) => Checked
  /** Assigns the server's errors to the fields. */
  assign?: (errors: Errors) => Errors
  /** Runs before a request. */
  onSaving?: () => Promise<void>
  /** `begin` continues with the saved row, where the form stays open. */
  onSaved: (row: Row, begin: (row: Row) => void) => unknown
  /** Runs after a refusal or failure. */
  onRefused?: (error: Error) => void
}

const NOT_SAVED = 'We couldn’t reach the server. Your changes are still here. Please try again.'

/**
 * The fields of a form, their errors, and the version that a save is compared with. A version that someone else saved meanwhile is never
 * overwritten silently: it becomes `conflict` until `settle`.
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
  const [errors, setErrors] = useState<Errors>({})
  const [conflict, setConflict] = useState<Row>()
  const begin = (from: Row) => {
    setBase(from)
    setEdit(ways.editOf(from))
    setErrors({})
  }

  const save = useMutation({
    async mutationFn({ body, over }: { body: unknown; over: Row | undefined; sent: FormEdit<Fields> }) {
      const { method, target, condition } = requestOf(url, over, ways.postsFirst)
      const headers = { 'content-type': 'application/json', ...condition }
      return schema.parse(await (await apiRequest(method, target, body, { headers })).json())
    },
    onSuccess(saved, { over }) {
      toast({ title: `${noun} ${isSaved(over) ? 'updated' : 'created'} successfully` })
      return onSaved(saved, begin)
    },
    onError(error, { over, sent }) {
      showFailure(`Error ${isSaved(over) ? 'updating' : 'creating'} ${noun.toLowerCase()}`, error, NOT_SAVED)
      const newer = newerIn(error, schema)
      if (newer) {
        setEdit(sent)
        setConflict(newer)
      } else setErrors(ways.assign ? ways.assign(refusedFields(error)) : refusedFields(error))
      onRefused?.(error)
    },
  })

  /**
   * Returns the errors that keep the form from being sent. `change` is made and sent in one step: where the form is refused, it is not made,
   * and the button that stands for it stays.
   */
  async function submit(change?: Partial<Fields>, over = base): Promise<Errors> {
    const sent = change ? ways.apply(edit, change) : edit
    const { body, errors: found = {} } = ways.check(sent.fields)
    setErrors(found)
    if (body === undefined) return found
    await onSaving?.()
    save.mutate({ body, over, sent })
    return {}
  }

  return {
    base,
    fields: edit.fields,
    errors,
    conflict,
    isSaving: save.isPending,
    submit,
    /** Editing a field clears its errors, and those of fields that follow it. */
    change: (given: Partial<Fields>) => {
      const before = new Map(Object.entries(edit.fields))
      const changed = new Set(
        Object.entries(ways.apply(edit, given).fields).flatMap(([name, value]) => (value === before.get(name) ? [] : name)),
      )
      setEdit((now) => ways.apply(now, given))
      setErrors((known) =>
        Object.fromEntries(Object.entries(known).filter(([path]) => !(fieldOf(path) in given) && !changed.has(fieldOf(path)))),
      )
    },
    /** Replaces all fields, based on another version of the row. */
    replace: (next: FormEdit<Fields>, version: number | undefined) => {
      setEdit(next)
      setBase((now) => now && { ...now, version: version ?? now.version })
    },
    /** Continues from the newer version: with these edits, or with theirs. */
    settle: async (newer: Row, keep: 'mine' | 'theirs') => {
      setConflict(undefined)
      if (keep === 'theirs') return begin(newer)
      setBase(newer)
      await submit(undefined, newer)
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

/** The server's error for each field. */
export function refusedFields(error: Error): Errors {
  return (error instanceof ApiError && error.problem?.errors) || {}
}

function newerIn<Row>(error: Error, schema: z.ZodMiniType<Row>): Row | undefined {
  if (!(error instanceof ApiError) || error.problem?.code !== 'edit_conflict') return undefined
  const read = schema.safeParse(error.problem.current)
  return read.success ? read.data : undefined
}

function fieldOf(path: string): string {
  return path.split('.')[0] ?? path
}
