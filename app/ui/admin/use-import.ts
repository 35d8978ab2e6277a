import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError } from '#app/platform/browser/api.ts'
import { countOf } from '#app/ui/amount.ts'
import type { ImportView } from './import-view.tsx'
import { type ActionOptions, useAction } from './use-action.ts'

/** The sentence is for the person who imports. */
export class ImportRefusal extends Error {}

/** Files of files, where the server tells them one by one. */
type ImportSteps = { done: number; of: number }
type Way<Report> = { dry: boolean; onStep: (steps: ImportSteps) => void; /** Of the same file, before. */ report: Report | undefined }

/** The parts of an import that differ by noun: its input, its questions and its outcomes. */
export type ImportNoun<Given, Report> = Pick<ActionOptions<Given, Report>, 'touches' | 'undo'> & {
  one: string
  many: string
  /** Of the dialog. */
  title?: string
  file: { label: string; accept: string; hint: string; hasFolder?: boolean }
  /** Before anything was chosen, or a file that is on its way already: then the import begins by looking at it. */
  start: Given
  isEmpty: (given: Given) => boolean
  /** The current choice. */
  nameOf: (given: Given) => string
  /** Throws an `ImportRefusal` where the files cannot be sent. */
  read: (files: readonly File[], given: Given) => Promise<Given>
  /** Text that a person can paste instead. */
  paste?: { textOf: (given: Given) => string; give: (given: Given, text: string) => Given }
  send: (given: Given, way: Way<Report>) => Promise<Report>
  view: (report: Report, given: Given, change: (given: Given) => void) => ImportView
  /** `change` checks again, unless the outcome is `known` already. */
  options?: (given: Given, change: (given: Given, known?: 'known') => void, report: Report | undefined) => React.ReactNode
  /** Where a check can take minutes, answers wait for the button: whether the report lacks some. */
  hasChanges?: (report: Report, given: Given) => boolean
  /** In place of the steps, while a file is sent or checked. */
  renderProgress?: () => React.ReactNode
  /** How many of them an import would write. */
  totalOf: (report: Report, given: Given) => number
  writtenIn: (report: Report) => number
  nothing: string
  /** Of the last step, where it does not say “Import 3 leads”. */
  words?: {
    verb: (report: Report) => string
    pending: string
    /** In place of “Cancel”. */ close: string
    done: (report: Report) => string
    failed: string
  }
  /** A question before something is lost. */
  question?: (given: Given) => { title: string; confirm: string; children: React.ReactNode } | undefined
  /** The outcome stays to be read. */
  isKept?: boolean
}

/** The journey of an import: choose or paste, look at what would happen, answer, import. Nothing is written before the last step. */
export function useImport<Given, Report>(noun: ImportNoun<Given, Report>, onEnd: () => void) {
  const [given, setGiven] = useState(noun.start)
  const [report, setReport] = useState<Report>()
  const [isChecked, setChecked] = useState(false)
  const [steps, setSteps] = useState<ImportSteps>()
  const check = useMutation({
    async mutationFn(next: Given | readonly File[]) {
      setSteps(undefined)
      const chosen = isFiles(next) ? await noun.read(next, given) : next
      if (chosen !== next) setGiven(chosen)
      return noun.send(chosen, { dry: true, onStep: setSteps, report: isFiles(next) ? undefined : report })
    },
    // The report is of the file before.
    onError: (_error, next) => isFiles(next) && setReport(undefined),
  })
  const ask = (next: Given | readonly File[]) =>
    // Of several answers, only that to the last question counts.
    check.mutate(next, {
      onSuccess(seen) {
        setReport(() => seen)
        setChecked(true)
      },
    })
  const start = (next: Given) => {
    check.reset()
    setGiven(next)
    setReport(undefined)
    setChecked(false)
  }
  const look = (next: Given | readonly File[]) => {
    setChecked(false)
    // At once: another answer can follow before that of the server.
    if (!isFiles(next)) setGiven(next)
    ask(next)
  }
  const change = (next: Given, known?: 'known') => {
    setGiven(next)
    if (!known && !noun.isEmpty(next) && report !== undefined) look(next)
  }
  const write = useWrite(noun, given, {
    report,
    onStep: setSteps,
    onDone(written) {
      if (noun.isKept) return setReport(() => written)
      start(noun.start)
      onEnd()
    },
    // Others may have changed what it was checked against.
    onRefused: () => setChecked(false),
  })
  const begin = useEffectEvent(() => {
    if (!noun.isEmpty(noun.start)) ask(noun.start)
  })
  // oxlint-disable-next-line react/set-state-in-effect -- a file that was kept is asked about at the server once the dialog is there
  useEffect(() => begin(), [])
  const isDone = Boolean(noun.isKept) && write.isSuccess
  const isBusy = check.isPending || write.isPending
  const error = check.error ? sentenceOf(check.error) : undefined
  return { given, report, isChecked, isDone, isBusy, check, write, steps: isBusy ? steps : undefined, error, start, look, change }
}

type Writing<Report> = {
  report: Report | undefined
  onStep: (steps: ImportSteps) => void
  onDone: (written: Report) => void
  onRefused: () => void
}

function useWrite<Given, Report>(noun: ImportNoun<Given, Report>, given: Given, { report, onStep, onDone, onRefused }: Writing<Report>) {
  return useAction({
    send: async () => noun.send(given, { dry: false, onStep, report }),
    onDone,
    done: noun.words?.done ?? ((written) => `${countOf(noun.writtenIn(written), noun.one, noun.many)} imported`),
    ...(noun.undo && { undo: (written: Report) => noun.undo?.(written, given) }),
    failed: noun.words?.failed ?? 'Import failed',
    onRefused() {
      onRefused()
      return false
    },
    touches: noun.touches,
  })
}

export type ImportState<Given, Report> = ReturnType<typeof useImport<Given, Report>>

function isFiles(next: unknown): next is readonly File[] {
  return Array.isArray(next) && next.every((each) => each instanceof File)
}

function sentenceOf(error: Error): string {
  if (error instanceof ApiError) return error.detail
  return error instanceof ImportRefusal ? error.message : 'The server could not be reached. Nothing was stored.'
}
