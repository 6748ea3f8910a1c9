#!/bin/bash
cat vowels.txt | tr -d '\n' > answer.txt
