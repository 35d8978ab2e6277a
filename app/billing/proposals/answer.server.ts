import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { proposalAnswerEmail } from './proposal.email.tsx'
import { lockProposal } from './proposal.server.ts'

/** Answers a question: on the client's page and by email. Another answer replaces the first one. */
export async function answerQuestion(id: string, questionId: string, answer: string, author: Actor & { id: string }): Promise<void> {
  await transaction(async (trx) => {
    const row = await lockProposal(trx, id)
    const asked = await trx
      .updateTable('proposalQuestions')
      .set({ answer, answeredAt: now, answeredBy: author.id })
      .where('id', '=', questionId)
      .where('proposalId', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (!asked) return stop('notFound', 'There is no such question.')
    await audit(trx, 'proposal_answered', { ...by(author), subjectId: row.contactId ?? undefined, detail: { proposal: row.reference } })
    const { contactId, reference, number, content, sentTo } = row
    if (!contactId || !sentTo) return undefined
    const title = content.lines.find((line) => line.id === asked.lineId)?.title ?? content.title
    await noteLeadEvent(trx, { contactId, kind: 'proposal_answer', actorId: author.id, detail: { title, text: answer } })
    const { name } = await trx.selectFrom('contacts').select('name').where('id', '=', contactId).executeTakeFirstOrThrow()
    const letter = proposalAnswerEmail(sentTo, { id, name, title, reference, number, question: asked.question, answer })
    await enqueueEmail(trx, { ...letter, contactId })
    return undefined
  })
  announceLeads()
}
