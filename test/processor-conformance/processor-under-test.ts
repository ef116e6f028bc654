import type { Journal } from '../../server/processors/journal.ts'
import type { MethodToCharge, Processor } from '../../server/processors/port.ts'

/** The behavior of a payment method for the suite. */
export type MethodScenario =
  | 'APPROVE'
  | 'DECLINE'
  /** Confirmed by the payer on a page of the bank. */
  | 'CHALLENGE'
  | 'PENDING_THEN_SUCCESS'
  | 'PENDING_THEN_FAILURE'
  /** The money is taken, and the call throws. */
  | 'TAKEN_WITHOUT_ANSWER'
  /** Nothing is taken, and the call throws. */
  | 'LOST_WITHOUT_ANSWER'

/** One processor, with the means to put it into the situations that the port speaks of. */
export interface ProcessorUnderTest {
  processor: Processor
  /**
   * Makes a method that has not been paid with, for a payment or a set-up. Undefined where the adapter has
   * none such.
   */
  method(scenario: MethodScenario, use?: 'SETUP'): Promise<MethodToCharge | undefined>
  /** Lets what is pending come to its end. */
  settle?: () => Promise<void>
  /** Does what a payer does on the page that an ACTION leads to. */
  confirm?: (url: string, choice: 'approve' | 'decline') => Promise<void>
  /** Texts that no answer may contain: the numbers and codes behind the methods. */
  secrets: readonly string[]
  /** Missing where one call to the processor is a whole payment. */
  calls?: CallsUnderTest
  close?(): Promise<void>
}

/** What an adapter that takes several calls for a payment has, besides what every adapter has. */
export interface CallsUnderTest {
  /** Makes the adapter with another journal in place of its own. */
  withJournal: (change: (journal: Journal) => Journal) => Processor
  /** Money that the processor has taken, minor units. */
  taken: () => number
  /** Payments that a payer could still make of what the adapter has left at the processor. */
  confirmable: () => number
  /** How many requests the processor has received. */
  requests: () => number
}
