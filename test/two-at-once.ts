/** Runs work many times, two at once, as an embedded server does: a burst would be refused by its bounded queue on a slow machine. */
export async function twoAtOnce<T>(count: number, work: (time: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let begun = 0
  const workThrough = async () => {
    for (let time = begun++; time < count; time = begun++) results[time] = await work(time)
  }
  await Promise.all([workThrough(), workThrough()])
  return results
}
