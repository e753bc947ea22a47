// The rows from which the balance is summed are added up from time to time, so that they stay few.
import { run, type Verb } from '../../verbs.js'

const MOST = 10_000
/** Fewer are left as they are: a till at rest writes nothing. */
const FEW = 100

/** One statement: of two processes at once, the second finds the rows of the first gone, and adds up the others. */
const ADD_UP = `WITH moved AS (
    DELETE FROM payment_total WHERE seq IN (SELECT seq FROM payment_total ORDER BY seq LIMIT ${MOST})
      AND (SELECT count(*) FROM (SELECT 1 FROM payment_total LIMIT ${FEW + 1}) AS counted) > ${FEW}
    RETURNING settlement, count, amount
  ) INSERT INTO payment_total (settlement, count, amount)
    SELECT settlement, sum(count), sum(amount) FROM moved GROUP BY settlement`

export const addUpPayments = (): Verb<number> => run(ADD_UP)
