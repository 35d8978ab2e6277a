// Loaded before the product: SIGUSR2 collects garbage. A leaked file handle then ends the process.
import { collectGarbage } from '../collect-garbage.ts'

process.on('SIGUSR2', () => void collectGarbage())
