import { createMemoryFiles } from "../../src/archive/files/in-memory-files.ts";
import { createMemoryArchive } from "../../src/archive/memory-archive.ts";
import { archiveContract } from "./archive-contract.ts";
import { fileArchiveContract } from "./file-archive-contract.ts";

archiveContract("memory", async () => createMemoryArchive());
fileArchiveContract("memory", async () => createMemoryFiles(Date.now));
