/** The ambiguity register: where the specification can be read in two ways, both of them and the one that is taken. */

/** One ambiguity. Requirements name it by its id. */
export interface Reading {
  readonly id: string;
  /** Sections of the specification that can be read either way. */
  readonly sections: readonly string[];
  readonly question: string;
  /** The two readings, the one that is taken first. */
  readonly readings: readonly [taken: string, other: string];
  readonly why: string;
}

/** Every ambiguity, in the order of its number. */
export const READINGS = [
  {
    id: 'R1',
    sections: ['7'],
    question: 'Which operations owe the error envelope?',
    readings: [
      'All thirteen.',
      'Create call and the five that section 7 names beside it; the other seven may answer errors in any form.',
    ],
    why: 'The section begins with what an error body is, without any exception; the list that follows adds to create call and takes nothing away.',
  },
  {
    id: 'R2',
    sections: ['5', '7'],
    question: 'What does a refused credential get?',
    readings: [
      'The envelope, under any 4xx status.',
      'Whatever the target likes, since the answer to a missing or invalid credential is not shown.',
    ],
    why: 'What is not shown is which answer it is; that an error body is the envelope is said of all errors. The status stays free.',
  },
  {
    id: 'R3',
    sections: ['2', '7'],
    question: 'May an error come without a body?',
    readings: [
      'No: an error without the envelope lacks its required code and message.',
      'Yes: the envelope only says what a body looks like when there is one.',
    ],
    why: 'Code and message are required, and a client that reads them cannot tell an empty error from a broken connection.',
  },
  {
    id: 'R4',
    sections: ['4', '7'],
    question: 'May an operation answer 5xx where no status of its errors is shown?',
    readings: [
      'Only 503, on any operation.',
      'Any 5xx outside create call, since error statuses are shown for that operation alone.',
    ],
    why: 'No 5xx but 503 has a meaning in the interface. Any other says that the service itself broke over a request, which no reader would take for part of a contract.',
  },
  {
    id: 'R5',
    sections: ['2', '4', '7'],
    question: 'Does a shown type oblige create call to refuse other types?',
    readings: [
      'Yes, with 400: a number for a string, or a string for a boolean, is a bad request.',
      'No: the types say what to send, and a target may convert what it gets.',
    ],
    why: 'A caller that sends the wrong type has made a mistake that converting hides, and here a mistake dials a telephone. Decoders that convert therefore do not conform.',
  },
  {
    id: 'R6',
    sections: ['2', '7'],
    question: 'May a 2xx say success: false?',
    readings: [
      'No: success is false in errors, and an error is not sent as 2xx.',
      'Yes: the member is described for error bodies only, and success bodies are not shown.',
    ],
    why: 'A client that looks at the status and one that looks at the member would disagree whether the call was placed.',
  },
  {
    id: 'R7',
    sections: ['5'],
    question: 'May an answer repeat the bearer credential?',
    readings: [
      'No, neither in a header nor in a body, in no encoding.',
      'Yes: it goes back to the caller who sent it, and the specification calls only the inbound secret a secret.',
    ],
    why: 'Answers are logged, cached and shown where requests are not, and the value has a part that section 5 calls secret.',
  },
] as const satisfies readonly Reading[];

/** The ambiguity of that id, or `undefined` where the register has none. */
export function readingById(id: string): Reading | undefined {
  return READINGS.find((reading) => reading.id === id);
}
