"""All tasks, in one order; a task's question is its own, so that an answer can be traced back to it."""

from toolyard.certify.tasks import schemas, texts, turns

TASKS = (*schemas.TASKS, *texts.TASKS, *turns.TASKS)
