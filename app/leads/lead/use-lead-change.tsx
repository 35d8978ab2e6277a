import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import { useAction } from '#app/ui/admin/use-action.ts'
import { toast } from '#app/ui/toast.ts'
import { type DeskLead, leadUrl } from './desk.ts'
import type { LeadStage } from './stage.ts'
import { leadData } from './use-lead-actions.tsx'

const currentFacts = z.record(z.string(), z.unknown())

/** Someone else's values of the facts of a change, by name. */
export function conflictIn(error: Error | null): Record<string, unknown> | undefined {
  if (!(error instanceof ApiError) || error.problem?.code !== 'fields_changed') return undefined
  const read = currentFacts.safeParse(error.problem.current)
  return read.success ? read.data : undefined
}

/** Facts by name, each with the value that the person saw. */
export type LeadChange = Record<string, { from: unknown; to: unknown }>

/** Changes facts of a lead: at once, with an undo. A conflict stays with the caller, who shows both values. `saved` titles the toast. */
export function useLeadChange(reference: string, saved: (changes: LeadChange) => string) {
  const client = useQueryClient()
  const send = async (changes: LeadChange): Promise<unknown> => (await apiRequest('PATCH', leadUrl(reference), { changes })).json()
  return useAction({
    send,
    onDone: (lead) => client.setQueryData([leadUrl(reference)], lead),
    done: (_lead, changes) => saved(changes),
    undo: (_lead, changes) => async () =>
      send(Object.fromEntries(Object.entries(changes).map(([name, { from, to }]) => [name, { from: to, to: from }]))),
    failed: 'Not saved',
    touches: leadData,
    onRefused: (error) => conflictIn(error) !== undefined,
  })
}

export type StagedLead = Pick<DeskLead, 'reference' | 'name' | 'stageId' | 'valueCents' | 'lostReason'>

/** The answers to what a stage asks for: a lost lead has a reason, a won one a value. */
export type StageAnswers = { reason?: string | undefined; valueCents?: number | null | undefined }

/** Moves one lead to a stage. `shownId` is the stage that it is moving to, or has. */
export function useStageMove(lead: StagedLead, stages: readonly LeadStage[]) {
  const { reference, name, stageId, valueCents, lostReason } = lead
  const nameOf = (id: unknown) => stages.find((stage) => stage.id === id)?.name ?? 'another stage'
  const change = useLeadChange(reference, ({ stageId: moved }) => `${name} moved to ${nameOf(moved?.to)}`)
  const move = (to: number, answers: StageAnswers = {}, done?: () => void) => {
    const reason = answers.reason ?? null
    const changes = {
      stageId: { from: stageId, to },
      // Only a lost lead has a reason.
      ...(reason !== lostReason && { lostReason: { from: lostReason, to: reason } }),
      ...(answers.valueCents !== undefined &&
        answers.valueCents !== valueCents && { valueCents: { from: valueCents, to: answers.valueCents } }),
    }
    change.mutate(changes, {
      onSuccess: done,
      onError(error) {
        const theirs = conflictIn(error)
        if (!theirs) return
        const what = 'stageId' in theirs ? `moved ${name} to ${nameOf(theirs['stageId'])}` : `changed ${name}`
        toast({ title: 'Not moved', description: `Someone else has ${what} meanwhile. Choose again.`, look: 'danger' })
        done?.()
      },
    })
  }
  return { move, isPending: change.isPending, shownId: Number(change.isPending ? change.variables.stageId?.to : stageId) }
}
